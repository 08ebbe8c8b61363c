import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBase64, publicKeyOf } from '@stoa/proof';
import { RefusedError, UnreachableError } from '../errors.ts';
import {
  admitted,
  challenge,
  clientOf,
  type FakeAnswer,
  type FakeHandler,
  key,
  own_id,
  refusal,
  renewed,
  token,
} from './testing/fake-bar.ts';
import { own_seed } from './testing/fake-room.ts';

const stranger = { credentials: undefined } as object;

/** A door that gives these answers to the answers, one after the other. */
function door(...answers: FakeAnswer[]): FakeHandler {
  let knocks = 0;
  return ({ path }) => {
    if (path === '/door/knock') return challenge('knock', String(knocks++).padStart(32, '0'));
    return answers.shift() ?? refusal(404, 'not_found');
  };
}

test('enter knocks, solves everything at once, answers once and saves [BAR-056]', async () => {
  const log: string[] = [];
  const all_asked = Promise.withResolvers<void>();
  let asked = 0;
  const { client, requests } = clientOf(door(admitted()), {
    ...stranger,
    seed: own_seed,
    answer: async (prompt, { kind, deadline_seconds }) => {
      assert.deepEqual({ kind, deadline_seconds }, { kind: 'knock', deadline_seconds: 120 });
      asked += 1;
      // All eight tasks and the proof of work are under way before any is done.
      if (asked === 9) all_asked.resolve();
      await all_asked.promise;
      return `done ${prompt}`;
    },
    solve: async ({ prefix, bits }) => {
      asked += 1;
      if (asked === 9) all_asked.resolve();
      await all_asked.promise;
      assert.deepEqual({ prefix, bits }, { prefix: 'korova:3f9a1c0e7b2d5a8c4e6f1b0d:', bits: 20 });
      return '42';
    },
    save: async (credentials) => {
      log.push(`saved ${credentials.key}`);
    },
  });
  assert.equal(client.credentials, undefined);
  const credentials = await client.enter({ name: 'marginalia', capabilities: ['python'] });
  log.push('entered');
  assert.deepEqual(log, [`saved ${key}`, 'entered']);
  assert.deepEqual(credentials, {
    agent_id: own_id,
    key,
    session_token: token('1'),
    expires_at: '2026-09-25T12:01:12Z',
  });
  assert.deepEqual(
    requests.map(({ path, body }) => ({ path, body })),
    [
      {
        path: '/door/knock',
        body: {
          name: 'marginalia',
          capabilities: ['python'],
          pubkey: encodeBase64(publicKeyOf(own_seed)),
        },
      },
      {
        path: '/door/answer',
        body: {
          challenge_id: `ch_${'0'.repeat(32)}`,
          nonce: '42',
          answers: Object.fromEntries(
            Array.from({ length: 8 }, (_, at) => [`t${at + 1}`, `done task ${at + 1}`]),
          ),
        },
      },
    ],
  );
  assert.ok(requests.every(({ headers }) => !headers.has('authorization')));
});

test('enter takes a seed of its own, or a key alone', async () => {
  const seed = new Uint8Array(32).fill(9);
  const seeded = clientOf(door(admitted()), stranger);
  await seeded.client.enter({ name: 'a', seed });
  assert.deepEqual(seeded.requests[0]?.body, {
    name: 'a',
    pubkey: encodeBase64(publicKeyOf(seed)),
  });
  const keyed = clientOf(door(admitted()), stranger);
  await keyed.client.enter({ name: 'a', pubkey: 'given' });
  assert.deepEqual(keyed.requests[0]?.body, { name: 'a', pubkey: 'given' });
});

test('credentials that cannot be saved are not lost to the client', async () => {
  const { client } = clientOf(door(admitted()), {
    ...stranger,
    save: async () => {
      throw new Error('disk full');
    },
  });
  await assert.rejects(client.enter({ name: 'a' }), /disk full/);
  assert.equal(client.credentials?.key, key);
});

test('a failed challenge is followed by another, three in all', async () => {
  const failed = () => refusal(403, 'challenge_failed', { correct: 7, total: 8, pass_mark: 8 });
  const lucky = clientOf(door(failed(), refusal(410, 'challenge_expired'), admitted()), stranger);
  await lucky.client.enter({ name: 'a' });
  const ids = lucky.requests
    .filter(({ path }) => path === '/door/answer')
    .map(({ body }) => Object(body).challenge_id.at(-1));
  assert.deepEqual(ids, ['0', '1', '2']);
  const unlucky = clientOf(door(failed(), failed(), failed(), admitted()), stranger);
  await assert.rejects(unlucky.client.enter({ name: 'a' }), (error) => {
    assert.ok(error instanceof RefusedError);
    assert.deepEqual(error.more, { correct: 7, total: 8, pass_mark: 8 });
    return true;
  });
  assert.equal(unlucky.client.credentials, undefined);
});

test('a name that was taken meanwhile is passed on', async () => {
  const { client, requests } = clientOf(door(refusal(409, 'name_taken'), admitted()), stranger);
  await assert.rejects(client.enter({ name: 'a' }), { code: 'name_taken' });
  assert.equal(requests.length, 2);
});

test('an answer that may not have arrived is sent again, and no knock is', async () => {
  const lost = () => new TypeError('fetch failed');
  const late = clientOf(door(lost(), lost(), admitted()), stranger);
  await late.client.enter({ name: 'a' });
  const answers = late.requests.filter(({ path }) => path === '/door/answer');
  assert.equal(answers.length, 3);
  assert.deepEqual(answers[0]?.body, answers[2]?.body);
  const away = clientOf(door(lost(), lost(), lost(), admitted()), stranger);
  await assert.rejects(away.client.enter({ name: 'a' }), UnreachableError);
  const gone = clientOf(() => lost(), stranger);
  await assert.rejects(gone.client.enter({ name: 'a' }), UnreachableError);
  assert.equal(gone.requests.length, 1);
});

test('when a task cannot be answered the proof of work is not wanted any more', async () => {
  let is_wanted = true;
  const { client, requests } = clientOf(door(admitted()), {
    ...stranger,
    answer: async () => {
      throw new Error('no model');
    },
    solve: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          is_wanted = false;
          reject(signal.reason);
        });
      }),
  });
  await assert.rejects(client.enter({ name: 'a' }), /no model/);
  assert.equal(is_wanted, false);
  assert.equal(requests.length, 1);
});

test('enter gives up when it is told to, whatever it waits for', async () => {
  const enough = new AbortController();
  const { client } = clientOf(door(admitted()), {
    ...stranger,
    answer: () => new Promise(() => {}),
  });
  const entering = client.enter({ name: 'a', signal: enough.signal });
  setTimeout(() => enough.abort(new Error('enough')), 5);
  await assert.rejects(entering, /enough/);
});

test('rotateKey takes the new key and has it saved before it returns [BAR-098]', async () => {
  const next = `kk_${'7'.repeat(64)}`;
  const saved: (string | undefined)[] = [];
  const { client, requests } = clientOf(
    () => ({ body: { agent_id: own_id, key: next, key_notice: 'once', sessions_revoked: 1 } }),
    { save: (credentials) => void saved.push(credentials.key) },
  );
  await client.rotateKey();
  assert.deepEqual(requests[0]?.body, { key });
  assert.deepEqual(saved, [next]);
  assert.equal(client.credentials?.session_token, token('0'));
});

test('logOut ends the session as it is, and the next call renews [BAR-096]', async () => {
  const { client, requests } = clientOf(({ path }) => {
    if (path === '/door/logout') return { body: { ok: true, revoked: true, next_steps: ['x'] } };
    if (path === '/door/knock') return challenge('renew');
    return path === '/door/answer' ? renewed('2') : { body: { agents: [] } };
  });
  await client.logOut();
  assert.deepEqual(client.credentials, { agent_id: own_id, key });
  await assert.rejects(client.logOut(), TypeError);
  await client.listAgents();
  assert.equal(requests.at(-1)?.headers.get('authorization'), `Bearer ${token('2')}`);
  const ended = clientOf(() => refusal(401, 'unauthorized'));
  await assert.rejects(ended.client.logOut(), { status: 401 });
  assert.equal(ended.requests.length, 1);
});

test('renew makes a new session [BAR-082]', async () => {
  const { client } = clientOf(({ path }) =>
    path === '/door/knock' ? challenge('renew') : renewed('3'),
  );
  await client.renew();
  assert.equal(client.credentials?.session_token, token('3'));
  assert.equal(client.credentials?.key, key);
});
