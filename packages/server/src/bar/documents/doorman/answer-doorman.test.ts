import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bar_schemas } from '@stoa/wire';
import { Check } from 'typebox/value';
import { answerDoorman, type DoormanReply } from './answer-doorman.ts';
import { describeDoorman } from './describe-doorman.ts';
import { formatUuid } from './format-uuid.ts';
import { topics } from './topics.ts';

const place = { origin: 'http://127.0.0.1:8080/bar', base_path: '/bar', practice: false };

/** Answers `json` with uuids that count from 1. */
function answer(json: unknown, version?: string): DoormanReply {
  let uuids = 0;
  const uuid = () => {
    uuids += 1;
    return `uuid-${uuids}`;
  };
  return answerDoorman({ json }, { place, version, uuid });
}

/** The body of an answer, held to its schema. */
function bodyOf(reply: DoormanReply) {
  assert.equal(reply.status, 200);
  assert.ok('body' in reply && Check(bar_schemas.DoormanAnswer, reply.body));
  return reply.body;
}

const ask = (json: unknown, version?: string) => bodyOf(answer(json, version));

const call = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 7, method, params });

const message = (text: string, more: object = {}) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...more },
});

/** The text of an answer to message/send. */
function textOf(body: ReturnType<typeof ask>): string {
  assert.ok('result' in body);
  // @NOTE A test that reads another answer fails here.
  const { parts } = body.result as { parts: { text: string }[] };
  assert.equal(parts.length, 1);
  return parts[0]?.text ?? '';
}

/** What the doorman says to a text. */
function said(text: string): string {
  return textOf(ask(call('message/send', message(text))));
}

const errorOf = (json: unknown, version?: string) => {
  const body = ask(json, version);
  assert.ok('error' in body, JSON.stringify(body));
  return body;
};

describe('answerDoorman', () => {
  it('answers a JSON-RPC request with its id, of whatever kind [BAR-312]', () => {
    for (const id of [1, 0, -1.5, 'a', '', null]) {
      const body = ask({ ...call('SendMessage', message('hello')), id });
      assert.deepEqual([body.jsonrpc, body.id], ['2.0', id]);
    }
  });

  it('speaks A2A 1.0 to SendMessage [BAR-313]', () => {
    assert.deepEqual(ask(call('SendMessage', message('hello')), '1.0'), {
      jsonrpc: '2.0',
      id: 7,
      result: {
        message: {
          messageId: 'uuid-1',
          contextId: 'uuid-2',
          role: 'ROLE_AGENT',
          parts: [{ text: said('hello') }],
        },
      },
    });
    const body = ask(call('SendMessage', message('hello', { contextId: 'mine' })));
    assert.match(JSON.stringify(body), /"contextId":"mine"/);
  });

  it('speaks A2A 0.3 to message/send [BAR-314]', () => {
    const params = message('', { parts: [{ kind: 'text', text: 'hello' }], contextId: 'mine' });
    assert.deepEqual(ask(call('message/send', params), '0.3'), {
      jsonrpc: '2.0',
      id: 7,
      result: {
        kind: 'message',
        messageId: 'uuid-1',
        contextId: 'mine',
        role: 'agent',
        parts: [{ kind: 'text', text: said('hello') }],
      },
    });
  });

  it('gives the directions to the door, even to a message without text [BAR-315]', () => {
    for (const parts of [[{ text: 'hello' }], [{ data: { a: 1 } }], [{ text: 5 }, null]]) {
      const text = textOf(ask(call('message/send', message('', { parts }))));
      for (const part of [
        `${place.origin}/api/v1`,
        'POST /bar/api/v1/door/knock',
        'POST /bar/api/v1/door/answer',
        `${place.origin}/llms.txt`,
        `${place.origin}/llms-full.txt`,
      ]) {
        assert.ok(text.includes(part), part);
      }
      assert.ok(!text.includes('## '));
    }
  });

  const mentions: [string, string[]][] = [
    ['How do I RENEW my token?', ['renew']],
    ['my session expired', ['renew']],
    ['rooms', ['rooms']],
    ['can I join a room?', ['rooms']],
    ['DMs', ['DMs']],
    ['send a direct   message; read the inbox', ['DMs']],
    ['what is a 428', ['quizzes']],
    ['quizzes', ['quizzes']],
    ['vouch, flag, quarantine, probation', ['trust']],
    ['the directory of capabilities', ['directory']],
    ['tamper-proof hash chain', ['chain']],
    ['rate limits', ['limits']],
    ['429', ['limits']],
    ['PoW', ['PoW']],
    ['the proof of work', ['PoW']],
    ['is there a Python library?', ['client']],
    ['client, limits, and rooms', ['rooms', 'limits', 'client']],
    ['renewal, roommates, untrusted, flagship, unlimited, 4280, powers, chained', []],
    ['hello', []],
  ];
  for (const [text, names] of mentions) {
    it(`tells of ${names.join(', ') || 'no topic'} when asked "${text}" [BAR-316]`, () => {
      const headings = [...said(text).matchAll(/^## (.+)$/gm)].map(([, name]) => name);
      assert.deepEqual(headings, names);
    });
  }

  it('reads the text of every part [BAR-316]', () => {
    const parts = [{ text: 'rooms' }, { kind: 'text', text: 'chain' }];
    const text = textOf(ask(call('message/send', message('', { parts }))));
    assert.deepEqual(text.match(/^## .+$/gm), ['## rooms', '## chain']);
  });

  const with_data = (reason: string) => [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' },
  ];
  const failures: [string, number, string | undefined, string][] = [
    ['GetTask', -32001, 'TASK_NOT_FOUND', 'BAR-317'],
    ['tasks/get', -32001, undefined, 'BAR-317'],
    ['CancelTask', -32001, 'TASK_NOT_FOUND', 'BAR-317'],
    ['tasks/cancel', -32001, undefined, 'BAR-317'],
    ['SendStreamingMessage', -32004, 'UNSUPPORTED_OPERATION', 'BAR-318'],
    ['SubscribeToTask', -32004, 'UNSUPPORTED_OPERATION', 'BAR-318'],
    ['message/stream', -32004, undefined, 'BAR-318'],
    ['tasks/resubscribe', -32004, undefined, 'BAR-318'],
    ['GetExtendedAgentCard', -32004, 'UNSUPPORTED_OPERATION', 'BAR-318'],
    ['agent/getAuthenticatedExtendedCard', -32007, undefined, 'BAR-318'],
    ['CreateTaskPushNotificationConfig', -32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED', 'BAR-318'],
    ['tasks/pushNotificationConfig/set', -32003, undefined, 'BAR-318'],
    ['SendMessages', -32601, undefined, 'BAR-319'],
    ['sendmessage', -32601, undefined, 'BAR-319'],
    ['message/sent', -32601, undefined, 'BAR-319'],
    ['toString', -32601, undefined, 'BAR-319'],
    ['', -32601, undefined, 'BAR-319'],
  ];
  for (const [method, code, reason, requirement] of failures) {
    it(`answers ${code} to ${method || 'an empty method'} [${requirement}]`, () => {
      for (const params of [{ id: 'a' }, { id: '' }, message('hello'), undefined]) {
        const { id, error } = errorOf(call(method, params));
        assert.deepEqual([id, error.code], [7, code]);
        assert.deepEqual(error.data, reason === undefined ? undefined : with_data(reason));
      }
    });
  }

  it('finds no task that a message names [BAR-317]', () => {
    for (const method of ['SendMessage', 'message/send']) {
      assert.equal(errorOf(call(method, message('hi', { taskId: 't' }))).error.code, -32001);
      assert.ok('result' in ask(call(method, message('hi', { taskId: '' }))));
    }
  });

  it('lists no tasks [BAR-317]', () => {
    assert.deepEqual(ask(call('ListTasks', {})), {
      jsonrpc: '2.0',
      id: 7,
      result: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 },
    });
  });

  it('answers what is no JSON or too long without an id [BAR-319]', () => {
    const context = { place, version: undefined, uuid: () => 'u' };
    const no_json = answerDoorman({ fault: 'not-json' }, context);
    assert.equal(no_json.status, 200);
    assert.ok('body' in no_json && 'error' in no_json.body);
    assert.deepEqual([no_json.body.id, no_json.body.error.code], [null, -32700]);
    const too_large = answerDoorman({ fault: 'too-large' }, context);
    assert.equal(too_large.status, 413);
    assert.ok('body' in too_large && 'error' in too_large.body);
    assert.deepEqual([too_large.body.id, too_large.body.error.code], [null, -32600]);
  });

  it('answers -32600 to what is no request [BAR-319]', () => {
    const good = call('SendMessage', message('hello'));
    for (const json of [null, 5, 'x', [], [good], {}, { ...good, jsonrpc: '1.0' }]) {
      assert.equal(errorOf(json).error.code, -32600);
    }
    for (const json of [
      { ...good, method: 5 },
      { ...good, method: undefined },
    ]) {
      assert.deepEqual([errorOf(json).id, errorOf(json).error.code], [7, -32600]);
    }
    for (const id of [true, {}, [1]]) {
      assert.deepEqual(
        [errorOf({ ...good, id }).id, errorOf({ ...good, id }).error.code],
        [null, -32600],
      );
    }
  });

  it('answers -32602 to a message without parts [BAR-319]', () => {
    for (const params of [
      undefined,
      null,
      5,
      [],
      {},
      { message: 'hello' },
      { message: {} },
      { message: { parts: [] } },
      { message: { parts: 'hello' } },
    ]) {
      for (const method of ['SendMessage', 'message/send']) {
        assert.equal(errorOf(call(method, params)).error.code, -32602);
      }
    }
  });

  it('answers -32009 to a version that it does not speak [BAR-319]', () => {
    for (const version of ['2.0', '0.2', '1', '1.0.0', 'x']) {
      const { error } = errorOf(call('SendMessage', message('hello')), version);
      assert.deepEqual([error.code, error.data], [-32009, with_data('VERSION_NOT_SUPPORTED')]);
      assert.equal(errorOf(call('message/send', message('hi')), version).error.data, undefined);
    }
    for (const version of ['1.0', '0.3', '', undefined]) {
      assert.ok('result' in ask(call('SendMessage', message('hello')), version));
    }
  });

  it('says nothing to a notification, and answers the same request alike [BAR-320]', () => {
    const { id, ...notification } = call('SendMessage', message('hello'));
    assert.equal(id, 7);
    assert.deepEqual(answer(notification), { status: 204 });
    assert.deepEqual(answer({ jsonrpc: '2.0', method: 'nothing' }), { status: 204 });
    const request = call('SendMessage', message('rooms'));
    assert.deepEqual(answer(request), answer(request));
  });
});

describe('describeDoorman', () => {
  it('describes the doorman and its ten topics [BAR-321]', () => {
    const description = describeDoorman(place);
    assert.ok(Check(bar_schemas.DoormanDescription, description));
    assert.equal(description.url, `${place.origin}/a2a`);
    assert.deepEqual(description.topics, [
      'renew',
      'rooms',
      'DMs',
      'quizzes',
      'trust',
      'directory',
      'chain',
      'limits',
      'PoW',
      'client',
    ]);
    assert.equal(topics.length, 10);
  });
});

describe('formatUuid', () => {
  it('makes a UUID of version 4 of 16 bytes', () => {
    assert.equal(formatUuid(new Uint8Array(16).fill(255)), 'ffffffff-ffff-4fff-bfff-ffffffffffff');
    assert.equal(formatUuid(new Uint8Array(16)), '00000000-0000-4000-8000-000000000000');
  });
});
