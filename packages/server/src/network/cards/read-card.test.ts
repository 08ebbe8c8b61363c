import assert from 'node:assert/strict';
import { test } from 'node:test';
import vectors from '../../../../../protocol/network/vectors/ni-msg-v1.json' with { type: 'json' };
import { test_start } from '../../../../../tests/support/open-house.ts';
import { system_clock } from '../../clock.ts';
import { MovableClock } from '../../movable-clock.ts';
import { RefusalError } from '../../refusal.ts';
import type { Account } from '../accounts/account-store.ts';
import { type GitHost, GitUnavailableError } from '../git/git-host.ts';
import type { Network } from '../network.ts';
import { openCardCache } from './card-cache.ts';
import { readCard, readKey } from './read-card.ts';

const key = vectors.keys.alice.public_key;
const card = (ed25519: string | null, more: object = {}) =>
  JSON.stringify({
    schema: 'agent-card',
    schema_version: 1,
    handle: 'alice',
    display_name: 'Alice',
    address: 'alice@example.org',
    description: null,
    capabilities: [],
    keys: { ed25519 },
    ...more,
  });

/** A network whose git host has one repository, which a test changes, and counts what is asked of it. */
function openOne(text: string | undefined) {
  const clock = new MovableClock(system_clock, { start: test_start, stopped: true });
  const state = { text, commit: 1, is_down: false, tips: 0, files: 0 };
  const answer = <T>(value: T): T => {
    if (state.is_down) throw new GitUnavailableError('down');
    return value;
  };
  const git_host: Pick<GitHost, 'findTip' | 'readFile'> = {
    async findTip() {
      state.tips += 1;
      return answer(state.text === undefined ? undefined : String(state.commit));
    },
    async readFile() {
      state.files += 1;
      return answer({ octets: Buffer.from(state.text ?? '') });
    },
  };
  const cards = openCardCache(clock);
  // @NOTE What reading a card leans on, and nothing else of the network.
  const network = { clock, cards, git_host, domain: 'example.org' } as unknown as Network;
  const account = { account: 'agent:alice', handle: 'alice', git_user_id: null } as Account;
  return {
    state,
    clock,
    cards,
    change(changed: string | undefined) {
      state.text = changed;
      state.commit += 1;
    },
    read: () => readCard(network, account),
    key: async () => (await readKey(network, account)).key,
  };
}

const keyFault = (error: unknown) =>
  error instanceof RefusalError && error.code === 'key_check_unavailable';

test('a card is read again after 60 seconds, and its file only when its commit changed [NET-088] [NET-089]', async () => {
  const { state, clock, read, change } = openOne(card(key));
  for (let second = 0; second < 60; second += 1) {
    assert.equal((await read())?.valid, true);
    clock.advance(1_000);
  }
  assert.deepEqual([state.tips, state.files], [1, 1]);
  await read();
  assert.deepEqual([state.tips, state.files], [2, 1]);
  change('{');
  clock.advance(59_999);
  assert.equal((await read())?.valid, true);
  clock.advance(1);
  assert.equal((await read())?.valid, false);
  assert.deepEqual([state.tips, state.files], [3, 2]);
});

test('a missing card is looked for again after 5 seconds [NET-088]', async () => {
  const { state, clock, read, change } = openOne(undefined);
  assert.equal(await read(), undefined);
  change(card(null));
  clock.advance(4_999);
  assert.equal(await read(), undefined);
  clock.advance(1);
  assert.equal((await read())?.valid, true);
  assert.equal(state.tips, 2);
});

test('a key is never older than 5 seconds [NET-090] [NET-113]', async () => {
  const { clock, read, key: readNow, change } = openOne(card(null));
  await read();
  assert.equal(await readNow(), null);
  change(card(key));
  clock.advance(5_000);
  assert.equal(await readNow(), key);
  change(card(null));
  clock.advance(4_999);
  // The same reading as 4.999 seconds ago.
  assert.equal(await readNow(), key);
  clock.advance(1);
  assert.equal(await readNow(), null);
});

test('a key is refused when it cannot be read, though an older copy is there [NET-114] [NET-090]', async () => {
  const { state, clock, read, key: readNow } = openOne(card(key));
  assert.equal(await readNow(), key);
  state.is_down = true;
  clock.advance(5_000);
  await assert.rejects(readNow(), keyFault);
  // The page may go on showing the card.
  assert.equal((await read())?.valid, true);
  await assert.rejects(readNow(), keyFault);
  clock.advance(55_000);
  await assert.rejects(read(), GitUnavailableError);
  state.is_down = false;
  assert.equal(await readNow(), key);
});

test('an invalid card and a missing one have no key [NET-078]', async () => {
  for (const text of [
    undefined,
    '{',
    card(key, { handle: 'bob' }),
    card(key, { schema_version: 2 }),
  ]) {
    assert.equal(await openOne(text).key(), null);
  }
});

test('a card that is dropped is read anew, also by who was reading it already [NET-089]', async () => {
  const { state, read, cards, change } = openOne(card(null));
  const before = read();
  change(card(key));
  cards.drop('alice');
  const [old, now] = await Promise.all([before, read()]);
  assert.equal(now?.valid && now.content.keys.ed25519, key);
  assert.ok(old);
  const kept = await read();
  assert.equal(kept?.valid && kept.content.keys.ed25519, key);
  assert.equal(state.tips, 2);
});

test('who asks at the same time is answered by one reading', async () => {
  const { state, read, key: readNow } = openOne(card(key));
  await Promise.all([read(), read(), readNow(), readNow(), read()]);
  assert.deepEqual([state.tips, state.files], [1, 1]);
});
