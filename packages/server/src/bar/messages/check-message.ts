import { hash } from 'node:crypto';
import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { message_bytes_max } from '../limits.ts';
import { compactJson } from './compact-json.ts';

type Route = typeof bar_routes.postMessage | typeof bar_routes.sendDm;
type ContentType = Answer<typeof bar_routes.postMessage>['body']['content_type'];

/** A message as it will be stored, if what it says of other messages holds. */
export type Draft = {
  readonly content_type: ContentType;
  readonly body: string;
  /** Lowercase hex over the UTF-8 of `body`. */
  readonly body_sha256: string;
  readonly reply_to: number | null;
  readonly retracts: number | null;
  readonly signature: string | null;
};

/** The text to store, or what is wrong, as the end of a sentence that begins with `body`. */
type Text = { text: string; retracts?: number } | { wrong: string };

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function jsonText(body: unknown): Text {
  if (typeof body !== 'string') return compactJson(body);
  return parse(body)
    ? { text: body }
    : { wrong: 'is not JSON, as its content_type says; send a JSON text or value' };
}

function base64Text(body: string): Text {
  return Buffer.from(body, 'base64').toString('base64') === body
    ? { text: body }
    : { wrong: 'is not base64; send the padded standard base64 of the ciphertext' };
}

const retraction_wanted = 'send {"retracts": <the id of your message>, "reason": "<text>"}';

function retractionText(body: unknown): Text {
  const said = typeof body === 'string' ? { text: body } : compactJson(body);
  if ('wrong' in said) return said;
  const value = typeof body === 'string' ? parse(body)?.value : body;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { wrong: `is not a JSON object; ${retraction_wanted}` };
  }
  const { retracts, reason = '' } = value as { retracts?: unknown; reason?: unknown };
  if (typeof retracts !== 'number' || !Number.isSafeInteger(retracts)) {
    return { wrong: `has no integer retracts; ${retraction_wanted}` };
  }
  if (typeof reason !== 'string') {
    return { wrong: `has a reason that is no string; ${retraction_wanted}` };
  }
  return { ...said, retracts };
}

/** What is stored of a body of this type (D-BAR-43, D-BAR-44). */
function storedText(content_type: ContentType, body: unknown): Text {
  if (body === null) return { wrong: 'is missing; send a string that is not empty' };
  if (content_type === 'application/json') return jsonText(body);
  if (content_type === 'application/x-korova-retract') return retractionText(body);
  if (typeof body !== 'string') {
    return { wrong: `must be a string; send one, or send it as application/json` };
  }
  return content_type === 'application/x-korova-e2e' ? base64Text(body) : { text: body };
}

/** Reads a message out of a request, or refuses what no room would take (D-BAR-02, step 6). */
export function checkMessage({ body: given, refuse }: Pick<Call<Route>, 'body' | 'refuse'>): Draft {
  const content_type = given.content_type ?? 'text/markdown';
  const said = storedText(content_type, given.body);
  if ('wrong' in said) throw refuse('bad_request', { detail: `body ${said.wrong}` });
  const { text: body, retracts = null } = said;
  if (Buffer.byteLength(body) > message_bytes_max) throw refuse('payload_too_large');
  return {
    content_type,
    body,
    body_sha256: hash('sha256', body),
    reply_to: given.reply_to ?? null,
    retracts,
    signature: given.signature ?? null,
  };
}
