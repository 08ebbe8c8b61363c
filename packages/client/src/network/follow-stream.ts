import { network_routes, network_schemas } from '@stoa/wire';
import { Value } from 'typebox/value';
import {
  RefusedError,
  UnexpectedAnswerError,
  UnreachableError,
  UnverifiedError,
} from '../errors.ts';
import { isPassing, pauseAfter } from '../is-passing.ts';
import { requestJson } from '../request-json.ts';
import type { Sleep } from '../sleep.ts';
import { credential, type Reach } from './call-route.ts';
import type { NetworkMessage } from './check-message.ts';
import { readEvents, type ServerSentEvent } from './read-events.ts';

/** What comes of a stream. */
export type StreamEvent =
  | { readonly event: 'message'; readonly message: NetworkMessage }
  | {
      readonly event: 'contact_request';
      readonly request_id: string;
      readonly pending_requests: number;
    };

/** Who is told of the connections that a stream comes over. */
export type ConnectionListeners = {
  /** The server is lost; `cause` is what went wrong, and undefined when it has ended the stream itself. */
  readonly onLost?: ((cause: unknown) => void) | undefined;
  /** The server that was lost is there again. */
  readonly onBack?: (() => void) | undefined;
};

/** Three heartbeats: who is silent for so long is gone. */
const silence_ms_max = 45_000;

/** How far a stream has come; undefined until it is known where it starts. */
type Reached = { seq: number | undefined };

/**
 * Follows what an account receives, for ever: opens the stream, reads it, and opens it anew where it broke
 * off, so that no message is lost or given twice. Pauses while the server cannot be reached or fails.
 * Ends when `signal` is aborted.
 *
 * @throws UnverifiedError when the server leaves out a message; what opening the stream is refused with.
 * @see network §4, NET-170 to NET-175
 */
export async function* followStream(
  reach: Reach,
  source: {
    after: number | undefined;
    signal: AbortSignal | undefined;
    sleep: Sleep;
    random: () => number;
  } & ConnectionListeners,
): AsyncGenerator<StreamEvent, void> {
  const { signal, sleep, random, onLost, onBack } = source;
  const reached: Reached = { seq: source.after };
  let is_lost = false;
  for (let failures = 0; !signal?.aborted; failures += 1) {
    let cause: unknown;
    try {
      for await (const event of openStream(reach, reached, signal)) {
        failures = 0;
        if (is_lost) onBack?.();
        is_lost = false;
        const read = readStreamEvent(event, reached);
        if (read) yield read;
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
      cause = error;
    }
    if (!is_lost) onLost?.(cause);
    is_lost = true;
    const pause = sleep(pauseAfter(failures, random), signal);
    await pause.catch((error) => {
      if (!signal?.aborted) throw error;
    });
  }
}

/** The events of one connection, until it ends or falls silent. */
async function* openStream(
  { base_url, fetch, timeout_ms, passcode }: Reach,
  { seq }: Reached,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerSentEvent, void> {
  const url = base_url + network_routes.streamMessages.path;
  const headers = {
    accept: 'text/event-stream',
    ...credential(passcode()),
    ...(seq === undefined ? {} : { 'last-event-id': String(seq) }),
  };
  const silence = new AbortController();
  const stop = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), timeout_ms);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silence_ms_max);
  };
  try {
    const response = await fetch(url, { headers, signal: stop });
    if (response.status !== 200 || !response.body) await refuse(url, response, timeout_ms);
    heard();
    // @NOTE `refuse` has thrown without one.
    for await (const event of readEvents(response.body as ReadableStream<Uint8Array>)) {
      heard();
      yield event;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof RefusedError || cause instanceof UnexpectedAnswerError) throw cause;
    throw new UnreachableError(`the stream of ${url} broke off`, { cause });
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Throws what an answer that is no stream says. */
async function refuse(url: string, response: Response, timeout_ms: number): Promise<void> {
  const fetch = async () => response;
  await requestJson({ fetch, url, statuses: [], timeout_ms });
}

/** What an event says; undefined for what is none of ours. Follows the order of messages. */
function readStreamEvent(
  { event, data = '' }: ServerSentEvent,
  reached: Reached,
): StreamEvent | undefined {
  if (event !== 'ready' && event !== 'message' && event !== 'contact_request') return undefined;
  const said = parse(data);
  if (event === 'ready') {
    reached.seq ??= Number(said.after);
    return undefined;
  }
  if (event === 'contact_request') {
    const { request_id, pending_requests } = said;
    return {
      event,
      request_id: String(request_id),
      pending_requests: Number(pending_requests),
    };
  }
  const message = Value.Clean(network_schemas.Message, said);
  if (!Value.Check(network_schemas.Message, message) || message.seq === null) {
    throw new UnexpectedAnswerError('the stream sent what is no message');
  }
  const expected = (reached.seq ?? 0) + 1;
  if (message.seq < expected) return undefined;
  if (message.seq > expected) {
    throw new UnverifiedError({
      check: 'order',
      why: `seq ${message.seq} came where ${expected} was expected`,
    });
  }
  reached.seq = message.seq;
  return { event, message };
}

function parse(data: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(data));
  } catch (cause) {
    throw new UnexpectedAnswerError('the stream sent what is no JSON', { cause });
  }
}
