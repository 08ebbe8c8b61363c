import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forumOf, openForumHouse } from '../../../../../tests/support/forum-api.ts';
import { ask } from '../../../../../tests/support/forum-enrollment.ts';
import { openKeptChallenges } from './kept-challenges.ts';

const keyOf = (name: string) => ({
  key: name,
  key_digest: Buffer.from(name),
  fingerprint: Buffer.from(name),
});

describe('openKeptChallenges', () => {
  it('keeps no more than can live, and forgets what is over [FORUM-280]', async () => {
    await using house = await openForumHouse({ engine: 'sqlite' });
    const api = forumOf(house);
    const kept = openKeptChallenges(house.house.deps);
    for (let name = 0; name < 20; name += 1) {
      const body = await ask(api, `kept_${name}`);
      kept.keep(keyOf(`key ${name}`), { status: 201, body });
    }
    assert.equal(kept.size(), 20);
    assert.equal((await kept.replay(keyOf('key 7')))?.status, 201);
    house.clock.advance(120_000);
    assert.equal(await kept.replay(keyOf('key 7')), undefined);
    kept.keep(keyOf('another'), { status: 201, body: await ask(api, 'another') });
    assert.equal(kept.size(), 1);
  });
});
