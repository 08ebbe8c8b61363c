import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { forEachEngine } from '../support/engines.ts';
import { type ForumApi, forumOf, freshAddress } from '../support/forum-api.ts';
import { enroll, solve } from '../support/forum-enrollment.ts';
import type { TestHouse } from '../support/open-house.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { drawChance, drawn } from './draw.ts';
import { checkSecrets, type MayHave } from './forum-secrets.ts';
import type { Place } from './ledger.ts';

const preloaded = fileURLToPath(new URL('./kill-at-step.ts', import.meta.url));
/** Fewer than any of these takes, and more than most do: beyond its last step it is killed when it has answered. */
const steps_min = 12;
const steps_max = 24;

/** An account in the life of one server. */
type Subject = {
  readonly id: number;
  readonly handle: string;
  readonly token: string;
  readonly key: string;
  readonly client: string;
  passphrase: string | undefined;
};

const first_passphrase = 'the first passphrase';
const new_passphrase = 'the second passphrase';
const old_notes = { 'kept/one': ['one'], 'kept/two': ['two'] } as const;

type Act = {
  /** What comes before it, and is not counted; it is given what this answers. */
  readonly prepare?: (api: ForumApi, subject: Subject) => Promise<unknown>;
  readonly act: (api: ForumApi, subject: Subject, prepared: unknown) => Promise<number>;
  readonly may_have?: Partial<MayHave>;
  readonly tiers?: readonly string[];
  /** Whoever did not hear the answer asks again, and has the token that is live. */
  readonly again?: (api: ForumApi, subject: Subject) => Promise<string>;
  /** Looks at what else was done, once or not at all. */
  readonly afterwards?: (api: ForumApi, subject: Subject) => Promise<void>;
};

const rotate = (api: ForumApi, { token, key }: Subject) =>
  api.call('POST', '/me/token', { token, key });
const post = (api: ForumApi, { token, key }: Subject) =>
  api.call('POST', '/posts', { token, key, body: { title: 'Said once', body: 'And no more.' } });
const recover = (api: ForumApi, { handle, key, client }: Subject) =>
  api.call('POST', '/accounts/recover', {
    key,
    client,
    body: { handle, passphrase: first_passphrase },
  });

/** Everything that changes a secret, or what is behind it; and a post. */
const acts: Readonly<Record<string, Act>> = {
  'rotates its token': {
    act: async (api, subject) => (await rotate(api, subject)).status,
    may_have: { may_have_other_token: true },
    async again(api, subject) {
      const { status, text, body } = await rotate(api, subject);
      assert.equal(status, 200, text);
      return body.token;
    },
  },
  recovers: {
    act: async (api, subject) => (await recover(api, subject)).status,
    may_have: { may_have_other_token: true },
    async again(api, subject) {
      const { status, text, headers, body } = await recover(api, subject);
      assert.equal(status, 200, text);
      assert.equal(headers.get('idempotent-replayed'), 'true', 'it was done once');
      return body.token;
    },
  },
  'posts with a key': {
    // 201 made it, and 200 is what is expected of all.
    act: async (api, subject) => ((await post(api, subject)).status === 201 ? 200 : 0),
    async afterwards(api, subject) {
      const { status, text } = await post(api, subject);
      assert.equal(status, 201, text);
      const { body } = await api.call('GET', '/me/export', { token: subject.token });
      assert.equal(body.posts.length, 1, 'it was done once');
    },
  },
  'changes its passphrase': {
    act: async (api, { token }) =>
      (await api.call('PUT', '/me/recovery', { token, body: { passphrase: new_passphrase } }))
        .status,
    may_have: { passphrases: [first_passphrase, new_passphrase] },
  },
  'removes its passphrase': {
    act: async (api, { token }) => (await api.call('DELETE', '/me/recovery', { token })).status,
    may_have: { passphrases: [first_passphrase, undefined] },
  },
  'sets a passphrase': {
    async act(api, { token }) {
      const body = { passphrase: new_passphrase };
      return (await api.call('PUT', '/me/recovery', { token, body })).status;
    },
    may_have: { passphrases: [undefined, new_passphrase] },
  },
  upgrades: {
    async prepare(api, { token, client }) {
      const asked = await api.call('POST', '/me/upgrade/challenge', { token, client, body: {} });
      return { challenge_id: asked.body.id, nonce: solve(asked.body) };
    },
    act: async (api, { token, client }, body) =>
      (await api.call('POST', '/me/upgrade', { token, client, body })).status,
    tiers: ['guest', 'full'],
  },
  'replaces a note': {
    act: async (api, { token }) =>
      (await api.call('PUT', '/notes/kept/one', { token, body: { text: 'one, anew' } })).status,
    may_have: { notes: { ...old_notes, 'kept/one': ['one', 'one, anew'] } },
  },
  'deletes a note': {
    act: async (api, { token }) => (await api.call('DELETE', '/notes/kept/two', { token })).status,
    may_have: { notes: { ...old_notes, 'kept/two': ['two', undefined] } },
  },
};

// @NOTE Nothing else of a house is asked for.
const apiOf = ({ base }: Server): ForumApi =>
  forumOf({ fetch: (path: string, init?: RequestInit) => fetch(base + path, init) } as TestHouse);

/** A new guest with two notes, and a passphrase unless it is to be set. */
async function makeSubject(api: ForumApi, number: number, is_without: boolean): Promise<Subject> {
  const passphrase = is_without ? undefined : first_passphrase;
  const { token, account } = await enroll(api, `subject_${number}`, {
    ...(passphrase === undefined ? {} : { recovery_passphrase: passphrase }),
  });
  for (const [name, [text]] of Object.entries(old_notes)) {
    const answer = await api.call('PUT', `/notes/${name}`, { token, body: { text } });
    assert.equal(answer.status, 201, answer.text);
  }
  const { id, handle } = account;
  return {
    id,
    handle,
    token,
    key: `key-of-${handle}-`.padEnd(40, 'x'),
    client: freshAddress(),
    passphrase,
  };
}

/** Tells the server to count its steps from now on. */
async function arm(server: Server): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.onLine((line) => {
    if (line === 'armed') resolve();
  });
  void server.exited.then(() => reject(new Error(server.output())));
  process.kill(server.pid, 'SIGUSR2');
  await promise;
}

/** After the restart: one token is live and opens all that the account has. */
async function checkServed(api: ForumApi, subject: Subject, act: Act): Promise<void> {
  let { token } = subject;
  const old = await api.call('GET', '/me', { token });
  if (old.status === 401) {
    assert.ok(act.again, 'its token is as it was');
    token = await act.again(api, subject);
  }
  const me = await api.call('GET', '/me', { token });
  assert.equal(me.status, 200, me.text);
  assert.ok((act.tiers ?? ['guest']).includes(me.body.tier));
  assert.equal(me.body.expires_at === null, me.body.tier === 'full');
  assert.equal(me.body.recovery_set, subject.passphrase !== undefined);
  const notes = act.may_have?.notes ?? old_notes;
  for (const [name, texts] of Object.entries(notes)) {
    const { status, body } = await api.call('GET', `/notes/${name}`, { token });
    assert.ok(texts.includes(status === 404 ? undefined : body.text), name);
  }
  if (token !== subject.token) {
    assert.equal((await api.call('GET', '/notes', { token: subject.token })).status, 401);
  }
  await act.afterwards?.(api, subject);
  const { body } = await api.call('PUT', '/notes/later', {
    token,
    body: { text: 'written later' },
  });
  assert.equal(body.name, 'later');
}

forEachEngine((engine) => {
  test('a server killed at any step of a change of token, passphrase, tier or note leaves one live token, the old or the new, and all notes open with it [FORUM-208] [FORUM-226] [FORUM-193]', async (t) => {
    const chance = drawChance(t);
    const { path: folder, remove } = temporaryFolder();
    t.after(remove);
    let database_url: string | undefined;
    let place: Place = { sqlite_path: join(folder, 'data', 'stoa.db') };
    if (engine === 'postgres') {
      const database = await createDatabase();
      t.after(database.drop);
      database_url = database.url;
      place = { database_url };
    }
    const names = Object.keys(acts);
    const first = chance.below(names.length);
    const is_full = drawn(1, 0) === 1;
    /** At full length each act, from its first step on; else a step of some, the first of them within its act. */
    const plan = Array.from(
      { length: drawn(names.length, engine === 'sqlite' ? 3 : 1) },
      (_, index) => ({
        name: names[(first + index) % names.length] ?? '',
        kill_at: drawn(1, chance.below(index === 0 ? steps_min : steps_max) + 1),
      }),
    );
    let kills = 0;
    let killed_within = 0;
    let before: { subject: Subject; act: Act } | undefined;
    for (;;) {
      const { name = '', kill_at = 0 } = plan.shift() ?? {};
      await using server = await startServer({
        folder,
        ...(database_url ? { database_url } : {}),
        flags: ['--log-level', 'warn'],
        config: 'trust_proxy = 1\n',
        env: { NODE_OPTIONS: `--import=${preloaded}`, STOA_TEST_KILL_AT: String(kill_at) },
      });
      const api = apiOf(server);
      if (before) await checkServed(api, before.subject, before.act);
      const act = acts[name];
      if (!act) break;
      const subject = await makeSubject(api, kills, name === 'sets a passphrase');
      const prepared = await act.prepare?.(api, subject);
      await arm(server);
      const status = await act.act(api, subject, prepared).catch((error: unknown) => {
        if (error instanceof assert.AssertionError) throw error;
        return undefined;
      });
      if (status !== undefined) assert.equal(status, 200, `${name} went well`);
      await server.kill('SIGKILL');
      kills += 1;
      if (status === undefined) {
        killed_within += 1;
        if (is_full) plan.unshift({ name, kill_at: kill_at + 1 });
      }
      const { id, token, passphrase } = subject;
      const may_have = {
        id,
        token,
        may_have_other_token: false,
        passphrases: [passphrase],
        notes: old_notes,
      };
      subject.passphrase = await checkSecrets(place, { ...may_have, ...act.may_have });
      before = { subject, act };
    }
    t.diagnostic(`${kills} kills, ${killed_within} of them before the answer`);
    assert.ok(killed_within > 0, 'they were killed within what they did');
  });
});
