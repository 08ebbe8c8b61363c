import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '@a2a-js/sdk';
import { type Client, ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { enterBar } from '../../support/bar-agents.ts';
import { type BarApi, type BarReply, barOf } from '../../support/bar-api.ts';
import { forOneEngine } from '../../support/engines.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The words of D-BAR-82 that name each topic. */
const topic_words: readonly (readonly [topic: string, words: readonly string[]])[] = [
  ['renew', ['renew', 'session', 'token', 'expired']],
  ['rooms', ['room', 'rooms', 'join']],
  ['DMs', ['dm', 'dms', 'direct message', 'inbox']],
  ['quizzes', ['quiz', 'quizzes', '428']],
  ['trust', ['trust', 'vouch', 'flag', 'quarantine', 'probation']],
  ['directory', ['directory', 'capability', 'capabilities', 'profile']],
  ['chain', ['chain', 'hash', 'tamper']],
  ['limits', ['limit', 'limits', 'rate', '429']],
  ['PoW', ['pow', 'proof of work', 'nonce']],
  ['client', ['client', 'python', 'library']],
];

const post = (bar: BarApi, body: unknown, headers: Record<string, string> = {}) =>
  bar.fetch('POST', '/a2a', { body, headers });

const rpc = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

/** Asserts a JSON-RPC error and answers its text. */
function assertFails(answer: BarReply, code: number, id: unknown = 1): string {
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const { error, ...others } = answer.body;
  assert.deepEqual(others, { jsonrpc: '2.0', id }, answer.text);
  assert.equal(error.code, code, answer.text);
  assert.ok(typeof error.message === 'string' && error.message !== '');
  return error.message;
}

/** What the doorman says to a text, in either dialect. */
async function saidTo(bar: BarApi, text: string, method = 'SendMessage'): Promise<string> {
  const { body } = await post(bar, rpc(method, { message: { parts: [{ text }] } }));
  const { parts } = body.result.message ?? body.result;
  return parts.map((part: { text: string }) => part.text).join('');
}

const headingsOf = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map((found) => found[1]);

/** The public SDK's client of a dialect, by the card that the bar serves. */
async function clientOf(house: TestHouse, version: '1.0' | '0.3'): Promise<Client> {
  const base = `${house.house.listening}/bar/`;
  if (version === '1.0') return new ClientFactory().createFromUrl(base);
  const legacyCompat = { enabled: true };
  const transports = [new JsonRpcTransportFactory({ legacyCompat })];
  const card = await (await new ClientFactory().createFromUrl(base)).getAgentCard();
  const supportedInterfaces = card.supportedInterfaces.filter(
    ({ protocolVersion }) => protocolVersion === version,
  );
  return new ClientFactory({ transports }).createFromAgentCard({ ...card, supportedInterfaces });
}

const user = 1;
const agent = 2;

const textMessage = (value: string): Message => ({
  messageId: 'message-1',
  contextId: 'context-1',
  taskId: '',
  role: user,
  parts: [
    {
      content: { $case: 'text', value },
      metadata: undefined,
      filename: '',
      mediaType: 'text/plain',
    },
  ],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

const request = (value: string) => ({
  message: textMessage(value),
  configuration: undefined,
  metadata: undefined,
  tenant: '',
});

forOneEngine((engine) => {
  test('SendMessage answers with one message of A2A 1.0 [BAR-312] [BAR-313] [BAR-315]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    for (const id of [1, 0, -7, 1.5, 'a', '', '🥛', null]) {
      const answer = await post(
        bar,
        rpc('SendMessage', { message: { parts: [{ text: 'How do I get in?' }] } }, id),
      );
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const { message } = answer.body.result;
      const { messageId, contextId, parts, ...others } = message;
      assert.deepEqual(answer.body, { jsonrpc: '2.0', id, result: { message } });
      assert.deepEqual(others, { role: 'ROLE_AGENT' });
      assert.match(messageId, uuid);
      assert.match(contextId, uuid);
      assert.ok(parts.length > 0);
      for (const part of parts) assert.deepEqual(Object.keys(part), ['text']);
      const text = parts.map((part: { text: string }) => part.text).join('');
      const origin = `${house.house.listening}/bar`;
      for (const said of [
        `${origin}/api/v1`,
        'POST /bar/api/v1/door/knock',
        'POST /bar/api/v1/door/answer',
        `${origin}/llms.txt`,
        `${origin}/llms-full.txt`,
      ]) {
        assert.ok(text.includes(said), said);
      }
    }
  });

  test('message/send answers with one message of A2A 0.3 [BAR-312] [BAR-314] [BAR-315]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const message = {
      kind: 'message',
      messageId: 'mine',
      contextId: 'kept',
      role: 'user',
      parts: [{ kind: 'text', text: 'Hello.' }],
    };
    const { status, body } = await post(bar, rpc('message/send', { message }, 'x'));
    assert.equal(status, 200);
    const { result } = body;
    assert.deepEqual(body, { jsonrpc: '2.0', id: 'x', result });
    const { messageId, parts, ...others } = result;
    assert.deepEqual(others, { kind: 'message', contextId: 'kept', role: 'agent' });
    assert.match(messageId, uuid);
    assert.ok(parts.length > 0);
    for (const part of parts) {
      assert.deepEqual(Object.keys(part).sort(), ['kind', 'text']);
      assert.equal(part.kind, 'text');
    }
    assert.match(parts[0].text, /\/bar\/api\/v1\/door\/knock/);
  });

  test('a message gets a section on each topic that it names, and on no other [BAR-316]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    for (const [topic, words] of topic_words) {
      for (const word of words) {
        for (const text of [word, `What about (${word.toUpperCase()})?`]) {
          for (const method of ['SendMessage', 'message/send']) {
            assert.deepEqual(headingsOf(await saidTo(bar, text, method)), [topic], text);
          }
        }
      }
    }
    for (const text of [
      '',
      'Hello.',
      'Classrooms, admire, powder, unlimited, clientele, 4290, chains-aw, quizzing',
      'trusted, tokens, flags, hashing',
    ]) {
      assert.deepEqual(headingsOf(await saidTo(bar, text)), [], text);
    }
    const all = topic_words.map(([topic]) => topic);
    const shuffled = topic_words.map(([, words]) => words.at(-1)).reverse();
    assert.deepEqual(headingsOf(await saidTo(bar, shuffled.join(', '))), all);
    // Texts of all parts count; what is no text is passed over.
    const parts = [{ text: 'rooms' }, { data: { trust: 1 } }, { kind: 'text', text: 'limits' }, 7];
    const { body } = await post(bar, rpc('SendMessage', { message: { parts } }));
    assert.deepEqual(headingsOf(body.result.message.parts[0].text), ['rooms', 'limits']);
  });

  test('there are no tasks [BAR-317]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    for (const method of ['GetTask', 'CancelTask', 'tasks/get', 'tasks/cancel']) {
      for (const params of [{ id: 'x' }, { id: '' }, {}, undefined, null]) {
        assertFails(await post(bar, rpc(method, params)), -32001);
      }
    }
    const { body } = await post(bar, rpc('GetTask', { id: 'x' }));
    assert.deepEqual(body.error.data, [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'TASK_NOT_FOUND',
        domain: 'a2a-protocol.org',
      },
    ]);
    const message = { taskId: 'x', parts: [{ text: 'Go on.' }] };
    assertFails(await post(bar, rpc('SendMessage', { message })), -32001);
    const listed = await post(bar, rpc('ListTasks', {}));
    assert.deepEqual(listed.body.result, {
      tasks: [],
      nextPageToken: '',
      pageSize: 50,
      totalSize: 0,
    });
  });

  test('nothing is streamed, subscribed to or pushed [BAR-318]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const message = { parts: [{ text: 'Hello.' }] };
    const failures: [code: number, method: string][] = [
      [-32004, 'SendStreamingMessage'],
      [-32004, 'SubscribeToTask'],
      [-32004, 'message/stream'],
      [-32004, 'tasks/resubscribe'],
      [-32004, 'GetExtendedAgentCard'],
      [-32007, 'agent/getAuthenticatedExtendedCard'],
      [-32003, 'CreateTaskPushNotificationConfig'],
      [-32003, 'tasks/pushNotificationConfig/set'],
    ];
    for (const [code, method] of failures) {
      assertFails(await post(bar, rpc(method, { message })), code);
      assertFails(await post(bar, rpc(method)), code);
    }
  });

  test('what is no request that it knows gets the error of its kind [BAR-319] [BAR-312]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    for (const body of ['', '{', 'hello', '{"jsonrpc": "2.0",}', Uint8Array.of(0x7b, 0xff, 0x7d)]) {
      assertFails(await post(bar, body), -32700, null);
    }
    const invalid: [body: unknown, id?: unknown][] = [
      ['[]'],
      [[rpc('SendMessage')]],
      ['null'],
      ['7'],
      ['"SendMessage"'],
      ['{}'],
      [{ id: 1, method: 'SendMessage' }, 1],
      [{ jsonrpc: '1.0', id: 1, method: 'SendMessage' }, 1],
      [{ jsonrpc: 2, id: 'x', method: 'SendMessage' }, 'x'],
      [{ jsonrpc: '2.0', id: 1 }, 1],
      [{ jsonrpc: '2.0', id: 1, method: 7 }, 1],
      [{ jsonrpc: '2.0', id: {}, method: 'SendMessage' }],
      [{ jsonrpc: '2.0', id: [1], method: 'SendMessage' }],
    ];
    for (const [body, id = null] of invalid) assertFails(await post(bar, body), -32600, id);
    for (const method of [
      '',
      'sendMessage',
      'SENDMESSAGE',
      'message/send ',
      'toString',
      '__proto__',
    ]) {
      assertFails(await post(bar, rpc(method, {})), -32601);
    }
    const paramless = [
      undefined,
      null,
      [],
      {},
      { message: null },
      { message: {} },
      { message: 'x' },
    ];
    for (const params of [...paramless, { message: { parts: [] } }, { message: { parts: 'x' } }]) {
      for (const method of ['SendMessage', 'message/send']) {
        assertFails(await post(bar, rpc(method, params)), -32602);
      }
    }
  });

  test('a request is read as JSON whatever its type says, up to 65,536 bytes, with no token asked [BAR-312]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const body = JSON.stringify(rpc('SendMessage', { message: { parts: [{ text: '' }] } }));
    const headers: Record<string, string>[] = [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/a2a+json' },
      { 'content-type': 'nonsense' },
      { authorization: 'Bearer nonsense' },
      { 'a2a-version': '1.0' },
      { 'a2a-version': '0.3' },
      { 'a2a-version': '' },
    ];
    for (const given of headers) {
      const answer = await post(bar, body, given);
      assert.ok(answer.body.result, JSON.stringify(given));
    }
    for (const version of ['0.2', '2.0', '1', '1.0, 0.3']) {
      assertFails(await post(bar, body, { 'a2a-version': version }), -32009);
    }
    const largest = body.padEnd(65_536);
    assert.ok((await post(bar, largest)).body.result);
    const { status, body: refused } = await post(bar, `${largest} `);
    assert.deepEqual([status, refused.id, refused.error.code], [413, null, -32600]);
    const silent = { jsonrpc: '2.0', method: 'SendMessage', params: {} };
    const notified = await post(bar, silent);
    assert.deepEqual([notified.status, notified.text], [204, '']);
    const wrong = await bar.fetch('PUT', '/a2a', { body });
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, POST']);
  });

  test('the doorman keeps nothing and lets nobody in [BAR-320]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const { token } = await enterBar(house, 'Watcher', { state: 'trusted' });
    const state = async () =>
      Promise.all(
        ['/agents', '/rooms', '/inbox', '/trust/me'].map(
          async (path) => (await bar.call('GET', path, { token })).text,
        ),
      );
    const before = await state();
    const knock = { name: 'Sneaky', challenge_id: 'ch_0', nonce: '0', answers: {} };
    const texts = new Set<string>();
    for (let call = 0; call < 200; call += 1) {
      const message = {
        contextId: 'same',
        parts: [{ text: JSON.stringify(knock) }, { data: knock }],
      };
      const { body } = await post(bar, rpc('SendMessage', { message }), {
        authorization: `Bearer ${token}`,
      });
      texts.add(JSON.stringify(body.result.message.parts));
    }
    assert.equal(texts.size, 1);
    assert.deepEqual(await state(), before);
    assert.equal((await bar.call('POST', '/door/knock', { body: { name: 'Sneaky' } })).status, 200);
  });

  test('GET /a2a describes the doorman [BAR-321]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const origin = `${house.house.listening}/bar`;
    const { status, headers, body } = await bar.fetch('GET', '/a2a');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'no-store');
    const { name, description, ...others } = body;
    assert.ok(name !== '' && description !== '');
    assert.deepEqual(others, {
      url: `${origin}/a2a`,
      protocol: 'A2A',
      binding: 'JSONRPC',
      versions: ['1.0', '0.3'],
      methods: ['SendMessage', 'message/send'],
      auth: 'none',
      streaming: false,
      tasks: false,
      topics: topic_words.map(([topic]) => topic),
      agent_card: `${origin}/.well-known/agent-card.json`,
      manual: `${origin}/llms-full.txt`,
    });
  });

  for (const version of ['1.0', '0.3'] as const) {
    test(`the public client of A2A talks to the doorman in ${version} [BAR-311] [BAR-313] [BAR-314] [BAR-316] [BAR-317] [BAR-318]`, async () => {
      await using house = await openTestHouse({ engine, rooms: ['bar'] });
      const client = await clientOf(house, version);
      assert.equal(client.protocolVersion.slice(0, 3), version);
      const answer = await client.sendMessage(request('How do rooms work?'));
      assert.ok('parts' in answer);
      assert.equal(answer.role, agent);
      assert.equal(answer.contextId, 'context-1');
      const [part] = answer.parts;
      assert.ok(part?.content?.$case === 'text');
      assert.deepEqual(headingsOf(part.content.value), ['rooms']);
      const task = { tenant: '', id: 'task-1', historyLength: undefined };
      await assert.rejects(client.getTask(task), { name: 'TaskNotFoundError' });
      await assert.rejects(client.cancelTask({ tenant: '', id: 'task-1', metadata: undefined }), {
        name: 'TaskNotFoundError',
      });
      await assert.rejects(client.resubscribeTask({ tenant: '', id: 'task-1' }).next(), {
        name: 'UnsupportedOperationError',
      });
    });
  }
});
