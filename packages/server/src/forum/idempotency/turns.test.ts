import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTurns } from './turns.ts';

describe('openTurns', () => {
  it('lets those of one name on one after another, and others at once', async () => {
    const turns = openTurns();
    const said: string[] = [];
    const end = await turns.take('a');
    const waiting = ['first', 'second'].map(async (what) => {
      const endOwn = await turns.take('a');
      said.push(what);
      endOwn();
    });
    (await turns.take('b'))();
    said.push('other');
    end();
    await Promise.all(waiting);
    assert.deepEqual(said, ['other', 'first', 'second']);
  });

  it('keeps nothing of a name that nobody waits for [FORUM-280]', async () => {
    const turns = openTurns();
    for (let name = 0; name < 1_000; name += 1) (await turns.take(String(name)))();
    assert.equal(turns.size(), 0);
    const ends = await Promise.all(['a', 'b', 'c'].map((name) => turns.take(name)));
    assert.equal(turns.size(), 3);
    for (const end of ends) end();
    assert.equal(turns.size(), 0);
  });
});
