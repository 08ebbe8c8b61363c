import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusedError, UnexpectedAnswerError, UnverifiedError } from '../errors.ts';
import type { Fetch } from '../request-json.ts';
import { followStream, type StreamEvent } from './follow-stream.ts';

const message = (seq: number) => ({
  id: `msg_${String(seq).padStart(22, '0')}`,
  seq,
  kind: 'text',
  thread: `th_${'0'.repeat(22)}`,
  from: 'ada@d',
  to: 'bob@d',
  from_account: 'agent:ada',
  to_account: 'agent:bob',
  sender_kind: 'agent',
  trust: 'agent, passcode',
  signed: false,
  verified: false,
  text: `text ${seq}`,
  ts: null,
  nonce: null,
  sig: null,
  signed_fields: null,
  via: null,
  offer: null,
  receipt: null,
  sent_at: '2026-09-07T12:00:00.000Z',
  delivered_at: '2026-09-07T12:00:00.000Z',
  read_at: null,
  redacted: false,
});

const frame = (event: string, data: unknown, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const ready = (after: number) => `retry: 2000\n\n${frame('ready', { after, pending_requests: 0 })}`;
const sent = (...seqs: number[]) => seqs.map((seq) => frame('message', message(seq), seq)).join('');

/** A server whose connections say these things one after the other, and then end; an error is a broken one. */
function serverOf(...answers: (string | Error | { status: number; body: string })[]) {
  const asked: (string | null)[] = [];
  const pauses_ms: number[] = [];
  const fetch: Fetch = async (_, init) => {
    asked.push(new Headers(init.headers).get('last-event-id'));
    const answer = answers.shift() ?? new Error('there is no more');
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'string') return new Response(answer);
    return new Response(answer.body, { status: answer.status });
  };
  return {
    asked,
    pauses_ms,
    async take(count: number, after?: number): Promise<StreamEvent[]> {
      const taken: StreamEvent[] = [];
      const stop = new AbortController();
      const source = {
        after,
        signal: stop.signal,
        random: () => 1,
        sleep: async (ms: number) => {
          pauses_ms.push(ms);
        },
      };
      const reach = { base_url: 'http://h', fetch, timeout_ms: 1_000, passcode: () => 'nip_1' };
      for await (const event of followStream(reach, source)) {
        if (taken.push(event) === count) stop.abort();
      }
      return taken;
    },
  };
}

const seqs = (events: StreamEvent[]) =>
  events.map((event) => (event.event === 'message' ? event.message.seq : event.request_id));

test('followStream goes on where a connection broke off, from where the first one began', async () => {
  const server = serverOf(
    ready(4),
    new Error('away'),
    { status: 503, body: '{}' },
    ready(4) + sent(5, 6),
    ready(5) + sent(6, 7) + frame('unknown', 1) + frame('contact_request', { request_id: 'rq_1' }),
  );
  assert.deepEqual(seqs(await server.take(4)), [5, 6, 7, 'rq_1']);
  assert.deepEqual(server.asked, [null, '4', '4', '4', '6']);
  // Longer while it fails, and short again once something came.
  assert.deepEqual(server.pauses_ms, [1_000, 2_000, 4_000, 1_000]);
});

test('followStream begins after the seq that is asked for', async () => {
  const server = serverOf(ready(2) + sent(3));
  assert.deepEqual(seqs(await server.take(1, 2)), [3]);
  assert.deepEqual(server.asked, ['2']);
});

test('followStream throws for a message that was left out, for a refusal, and for what is no message', async () => {
  await assert.rejects(
    serverOf(ready(0) + sent(1, 3)).take(2),
    (error) => error instanceof UnverifiedError && error.check === 'order',
  );
  const refused = { error: 'unauthorized', message: 'No.', hint: 'Sign up.' };
  await assert.rejects(
    serverOf({ status: 401, body: JSON.stringify(refused) }).take(1),
    (error) =>
      error instanceof RefusedError && error.code === 'unauthorized' && error.hint === 'Sign up.',
  );
  for (const data of ['{', '{"seq":1}', 'null']) {
    await assert.rejects(
      serverOf(`${ready(0)}event: message\ndata: ${data}\n\n`).take(1),
      UnexpectedAnswerError,
    );
  }
});
