import type { bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Place } from '../place.ts';
import { directions } from './directions.ts';
import { type Dialect, type DoormanError, dialectOf, doorman_errors, fateOf } from './methods.ts';

/** A request as it came: the JSON value of its body, or why there is none. */
export type DoormanRequest =
  | { readonly json: unknown }
  | { readonly fault: 'not-json' | 'too-large' };

/** What goes back: JSON-RPC, or nothing to a notification. */
export type DoormanReply =
  | { readonly status: 200 | 413; readonly body: Static<typeof bar_schemas.DoormanAnswer> }
  | { readonly status: 204 };

/** What the doorman needs besides the request. */
export type DoormanContext = {
  readonly place: Place;
  /** The header `A2A-Version`, if there is one. */
  readonly version: string | undefined;
  /** A fresh UUID. */
  readonly uuid: () => string;
};

type JsonRpcId = string | number | null;
type Members = Readonly<Record<string, unknown>>;

/**
 * Answers a request to the doorman, in the dialect of the method's name. It keeps nothing, so the same
 * request gets the same answer but for fresh ids (D-BAR-80, D-BAR-81).
 */
export function answerDoorman(request: DoormanRequest, context: DoormanContext): DoormanReply {
  if ('fault' in request) {
    return request.fault === 'too-large'
      ? { status: 413, body: failure(null, doorman_errors.too_large) }
      : { status: 200, body: failure(null, doorman_errors.not_json) };
  }
  const call = readCall(request.json);
  if ('fault' in call) {
    return { status: 200, body: failure(call.id, doorman_errors.invalid_request) };
  }
  if (call.id === undefined) return { status: 204 };
  const { id, method, params } = call;
  const dialect = dialectOf(method);
  const outcome = carryOut(method, params, context);
  return {
    status: 200,
    body:
      'error' in outcome
        ? failure(id, outcome.error, dialect)
        : { jsonrpc: '2.0', id, result: outcome.result },
  };
}

type Call = { id: JsonRpcId | undefined; method: string; params: unknown };

/** A JSON-RPC call; without an `id` it is a notification. */
function readCall(json: unknown): Call | { fault: 'invalid'; id: JsonRpcId } {
  if (!isObject(json)) return { fault: 'invalid', id: null };
  const id = isId(json.id) ? json.id : undefined;
  const has_bad_id = id === undefined && json.id !== undefined;
  if (json.jsonrpc !== '2.0' || typeof json.method !== 'string' || has_bad_id) {
    return { fault: 'invalid', id: id ?? null };
  }
  return { id, method: json.method, params: json.params };
}

function carryOut(
  method: string,
  params: unknown,
  context: DoormanContext,
): { error: DoormanError } | { result: Record<string, unknown> } {
  const { version } = context;
  if (version !== undefined && version !== '' && version !== '1.0' && version !== '0.3') {
    return { error: doorman_errors.unknown_version };
  }
  const fate = fateOf(method);
  if (fate === undefined) return { error: doorman_errors.unknown_method };
  if (fate === 'tasks') {
    return { result: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } };
  }
  if (fate !== 'message') return { error: fate };
  const message = isObject(params) && isObject(params.message) ? params.message : {};
  const parts = Array.isArray(message.parts) ? message.parts : [];
  if (parts.length === 0) return { error: doorman_errors.invalid_params };
  // An empty string is how a field that is not set may be printed.
  if (typeof message.taskId === 'string' && message.taskId !== '') {
    return { error: doorman_errors.no_task };
  }
  return { result: reply(dialectOf(method), message, parts, context) };
}

function reply(
  dialect: Dialect,
  message: Members,
  parts: readonly unknown[],
  { place, uuid }: DoormanContext,
): Record<string, unknown> {
  const asked = parts.flatMap((part) =>
    isObject(part) && typeof part.text === 'string' ? [part.text] : [],
  );
  const text = directions(place, asked.join('\n'));
  const { contextId } = message;
  const ids = {
    messageId: uuid(),
    contextId: typeof contextId === 'string' && contextId !== '' ? contextId : uuid(),
  };
  return dialect === '1.0'
    ? { message: { ...ids, role: 'ROLE_AGENT', parts: [{ text }] } }
    : { kind: 'message', ...ids, role: 'agent', parts: [{ kind: 'text', text }] };
}

function failure(
  id: JsonRpcId,
  { code, message, reason }: DoormanError,
  dialect: Dialect = '0.3',
): Static<typeof bar_schemas.DoormanAnswer> {
  const told = dialect === '1.0' && reason !== undefined;
  const data = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: reason ?? '',
      domain: 'a2a-protocol.org',
    },
  ];
  return { jsonrpc: '2.0', id, error: { code, message, ...(told ? { data } : {}) } };
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is JsonRpcId =>
  value === null || typeof value === 'string' || typeof value === 'number';
