import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusedError, UnexpectedAnswerError, UnreachableError } from '../errors.ts';
import { barClient } from './bar-client.ts';
import {
  base_url,
  challenge,
  clientOf,
  type FakeHandler,
  key,
  own_id,
  refusal,
  renewed,
  token,
} from './testing/fake-bar.ts';
import { fakeRooms } from './testing/fake-room.ts';

/** A bar whose sessions have ended, but for those of the tokens made of `digits`. */
function renewing(digits: string[], rest: FakeHandler): FakeHandler {
  const alive = new Set<string>();
  return (request) => {
    if (request.path === '/door/knock') return challenge('renew');
    if (request.path === '/door/answer') {
      const digit = digits.shift() ?? 'f';
      alive.add(`Bearer ${token(digit)}`);
      return renewed(digit);
    }
    const is_alive = alive.has(request.headers.get('authorization') ?? '');
    return is_alive ? rest(request) : refusal(401, 'unauthorized');
  };
}

const paths = (requests: { path: string }[]) => requests.map(({ path }) => path);
const knocks = (requests: { path: string }[]) =>
  requests.filter(({ path }) => path === '/door/knock').length;
const nobody = { body: { agents: [] } };

test('barClient wants a base URL and a seed of 32 bytes', () => {
  const answer = async () => '';
  assert.throws(() => barClient({ base_url: 'here', answer }), TypeError);
  assert.throws(() => barClient({ base_url, answer, seed: new Uint8Array(31) }), RangeError);
});

test('a session that has ended is renewed, and the call made again [BAR-094]', async () => {
  const saved: unknown[] = [];
  const { client, requests } = clientOf(
    renewing(['1'], () => nobody),
    {
      save: (credentials) => void saved.push(credentials),
    },
  );
  assert.deepEqual(await client.listAgents(), nobody.body);
  assert.deepEqual(paths(requests), ['/agents', '/door/knock', '/door/answer', '/agents']);
  assert.deepEqual(requests[1]?.body, { agent_id: own_id, key });
  const expires_at = '2026-09-25T12:01:12Z';
  const credentials = { agent_id: own_id, key, session_token: token('1'), expires_at };
  assert.deepEqual(saved, [credentials]);
  assert.deepEqual(client.credentials, credentials);
});

test('however many calls find the session ended, one renewal is made', async () => {
  const { client, requests } = clientOf(renewing(['1'], () => nobody));
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.listAgents()));
  assert.equal(answers.length, 20);
  assert.equal(knocks(requests), 1);
});

test('credentials without a session are renewed before the first call', async () => {
  const options = { credentials: { agent_id: own_id, key } };
  const { client, requests } = clientOf(
    renewing(['1'], () => nobody),
    options,
  );
  await client.listAgents();
  assert.deepEqual(paths(requests), ['/door/knock', '/door/answer', '/agents']);
});

test('a session is renewed once a call, and the second 401 is passed on', async () => {
  const { client, requests } = clientOf((request) => {
    if (request.path === '/door/knock') return challenge('renew');
    return request.path === '/door/answer' ? renewed('1') : refusal(401, 'unauthorized');
  });
  await assert.rejects(client.listAgents(), { name: 'RefusedError', status: 401 });
  assert.equal(knocks(requests), 1);
});

test('without a key a 401 is passed on, and without credentials nothing is called', async () => {
  const credentials = { agent_id: own_id, session_token: token('0') };
  const poor = clientOf(() => refusal(401, 'unauthorized'), { credentials });
  await assert.rejects(poor.client.listAgents(), { status: 401, hint: 'a hint' });
  assert.equal(poor.requests.length, 1);
  const stranger = barClient({ base_url, answer: async () => '' });
  await assert.rejects(stranger.listAgents(), TypeError);
});

test('a renewal that is refused fails every call that waits for it, and the next call tries anew', async () => {
  let is_banned = true;
  const rest = renewing(['1'], () => nobody);
  const { client, requests } = clientOf((request) =>
    request.path === '/door/knock' && is_banned ? refusal(403, 'forbidden') : rest(request),
  );
  const outcomes = await Promise.allSettled([client.listAgents(), client.listAgents()]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['rejected', 'rejected'],
  );
  assert.equal(knocks(requests), 1);
  is_banned = false;
  assert.deepEqual(await client.listAgents(), nobody.body);
});

test('a caller that gives up leaves the renewal to the others', async () => {
  const entered = Promise.withResolvers<void>();
  const rest = renewing(['1'], () => nobody);
  const { client } = clientOf(async (request) => {
    if (request.path === '/door/answer') await entered.promise;
    return rest(request);
  });
  const impatient = new AbortController();
  const given_up = client.listAgents({ signal: impatient.signal });
  const patient = client.listAgents();
  impatient.abort(new Error('enough'));
  await assert.rejects(given_up, /enough/);
  entered.resolve();
  assert.deepEqual(await patient, nobody.body);
});

test('a limit is waited for, as long as the refusal says [BAR-304] [BAR-328]', async () => {
  const answers = [
    refusal(429, 'rate_limited', { retry_after: 7 }),
    refusal(429, 'rate_limited', {}),
    nobody,
  ];
  const { client, pauses_ms } = clientOf(() => answers.shift() ?? nobody);
  assert.deepEqual(await client.listAgents(), nobody.body);
  assert.deepEqual(pauses_ms, [7_000, 1_000]);
});

test('a limit that takes too long is passed on, at once or after what was waited', async () => {
  const daily = clientOf(() => refusal(429, 'rate_limited', { retry_after: 80_000 }));
  await assert.rejects(daily.client.listAgents(), { status: 429, retry_after_s: 80_000 });
  assert.deepEqual(daily.pauses_ms, []);
  const endless = clientOf(() => refusal(429, 'rate_limited', { retry_after: 50 }));
  await assert.rejects(endless.client.listAgents(), { status: 429 });
  assert.deepEqual(endless.pauses_ms, [50_000, 50_000]);
  const quick = clientOf(() => refusal(429, 'rate_limited', { retry_after: 1 }));
  await assert.rejects(quick.client.listAgents(), { status: 429 });
  assert.equal(quick.requests.length, 21);
});

test('waiting for a limit ends when the caller gives up', async () => {
  const asked = new AbortController();
  const { client, requests } = clientOf(() => refusal(429, 'rate_limited', { retry_after: 100 }), {
    sleep: (_, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', reject)),
  });
  const call = client.listAgents({ signal: asked.signal });
  setTimeout(() => asked.abort());
  await assert.rejects(call);
  assert.equal(requests.length, 1);
});

test('a refusal carries hint and whatever else the server says', async () => {
  const { client } = clientOf(() => refusal(409, 'name_taken', { taken_by: 'someone' }));
  await assert.rejects(client.patchMe({ name: 'x' }), (error) => {
    assert.ok(error instanceof RefusedError);
    const { status, code, message, hint, more } = error;
    assert.deepEqual(
      { status, code, message, hint, more },
      {
        status: 409,
        code: 'name_taken',
        message: 'refused: name_taken',
        hint: 'a hint',
        more: { taken_by: 'someone' },
      },
    );
    return true;
  });
});

test('a write that may have arrived is not repeated', async () => {
  const { client, requests } = clientOf(() => new TypeError('fetch failed'));
  await assert.rejects(client.joinRoom('the-bar'), UnreachableError);
  assert.equal(requests.length, 1);
});

test('what is called is what the protocol names [BAR-021]', async () => {
  const { client, requests } = clientOf(() => refusal(404, 'not_found'));
  const id = own_id;
  const calls: [call: Promise<unknown>, expected: string][] = [
    [client.readIndex(), 'GET '],
    [client.readHealth(), 'GET /health'],
    [client.readDoor(), 'GET /door'],
    [client.readMe(), 'GET /me'],
    [client.patchMe({ description: 'd' }), 'PATCH /me {"description":"d"}'],
    [client.listAgents({ capability: 'a&b' }), 'GET /agents?capability=a%26b'],
    [client.readAgent(id), `GET /agents/${id}`],
    [client.blockAgent(id), `POST /agents/${id}/block`],
    [client.unblockAgent(id), `DELETE /agents/${id}/block`],
    [client.listBlocks(), 'GET /blocks'],
    [client.listRooms(), 'GET /rooms'],
    [client.createRoom({ slug: 'a-b' }), 'POST /rooms {"slug":"a-b"}'],
    [client.readRoom('dm~a/b'), 'GET /rooms/dm~a%2Fb'],
    [client.joinRoom('a-b'), 'POST /rooms/a-b/join'],
    [client.leaveRoom('a-b'), 'POST /rooms/a-b/leave'],
    [client.inviteAgent('a-b', id), `POST /rooms/a-b/invite {"agent_id":"${id}"}`],
    [client.listInvitations(), 'GET /invitations'],
    [client.declineInvitation(88), 'POST /invitations/88/decline'],
    [client.readTrust(), 'GET /trust/me'],
    [client.vouchFor(id, { note: 'n' }), `POST /agents/${id}/vouch {"note":"n"}`],
    [client.flagMessage(7, { reason: 'spam' }), 'POST /messages/7/flag {"reason":"spam"}'],
    [client.listQuarantined(), 'GET /trust/quarantined'],
    [client.releaseAgent(id), `POST /agents/${id}/release`],
    [client.readChain('a-b', { from: 1, to: 2 }), 'GET /rooms/a-b/chain?from=1&to=2'],
    [client.readInbox({ since: 5, limit: 6, wait: 7 }), 'GET /inbox?since=5&limit=6&wait=7'],
    [client.rotateKey(), `POST /me/key {"key":"${key}"}`],
    [client.logOut(), 'POST /door/logout'],
  ];
  const outcomes = await Promise.allSettled(calls.map(([call]) => call));
  assert.ok(outcomes.every(({ status }) => status === 'rejected'));
  const seen = requests.map(({ method, path, query, body }) => {
    const asked = query.size > 0 ? `?${query}` : '';
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
    return `${method} ${path.replace('/bar/api/v1', '')}${asked}${sent}`;
  });
  assert.deepEqual(seen.sort(), calls.map(([, expected]) => expected).sort());
});

test('an answer of no known shape is an UnexpectedAnswerError, and unknown members are dropped', async () => {
  const bodies: unknown[] = [
    null,
    [],
    'text',
    {},
    { agents: {} },
    { agents: [{}] },
    { agents: [null] },
  ];
  for (const body of bodies) {
    const { client } = clientOf(() => ({ body }));
    await assert.rejects(client.listAgents(), UnexpectedAnswerError, JSON.stringify(body));
  }
  const { client } = clientOf(() => ({ body: { agents: [], more: 1 } }));
  assert.deepEqual(await client.listAgents(), { agents: [] });
});

test('a public key that changes is an UnverifiedError', async () => {
  const { handle, pubkeys } = fakeRooms('the-bar');
  const { client } = clientOf(handle);
  const before = await client.readAgent(own_id);
  pubkeys.set(own_id, null);
  await assert.rejects(client.readAgent(own_id), { name: 'UnverifiedError', check: 'pubkey' });
  pubkeys.set(own_id, before.pubkey);
  assert.deepEqual(await client.readAgent(own_id), before);
});
