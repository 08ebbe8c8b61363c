import { decodeCardSignature } from '@stoa/proof/network';
import type { Input, network_routes, RefusalCode } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { readHandle } from '../accounts/read-handle.ts';
import type { Network } from '../network.ts';
import { readInstant } from './read-instant.ts';

type SendMessage = typeof network_routes.sendMessage;

/** A message as its sender wrote it, each field exactly as it was sent. */
export type Draft = {
  readonly to: string;
  readonly text: string;
  /** Empty if none was named. */
  readonly thread: string;
  readonly ts: string | null;
  readonly nonce: string | null;
  readonly via: 'leora' | null;
  readonly signed: Signed | undefined;
};

/** What a signed draft has besides. */
export type Signed = {
  readonly sig: string;
  readonly signature: Uint8Array;
  readonly ts: string;
  /** The instant that `ts` names. */
  readonly at: number;
  readonly nonce: string;
};

/** Reads the fields of a send; refuses the first that is not of its form (D-NET-22). */
export function readDraft(network: Network, { body, refuse }: Call<SendMessage>): Draft {
  if (!readHandle(network, body.to)) throw refuse('invalid_to');
  return {
    to: body.to,
    text: body.text,
    thread: body.thread ?? '',
    ts: body.ts ?? null,
    nonce: body.nonce ?? null,
    via: null,
    signed: readSigned(body, refuse),
  };
}

function readSigned(
  { ts, nonce, sig }: Input<SendMessage, 'body'>,
  refuse: (code: RefusalCode<SendMessage>, options: { detail: string }) => Error,
): Signed | undefined {
  if (sig === undefined || sig === null) return undefined;
  const at = readInstant(ts ?? '');
  if (ts === undefined || ts === null || at === undefined) {
    const detail = 'ts of a signed message is RFC 3339 with an offset, or Unix seconds, as a text';
    throw refuse('invalid_ts', { detail });
  }
  if (nonce === undefined || nonce === null) {
    throw refuse('invalid_nonce', { detail: 'a signed message needs a nonce' });
  }
  const signature = decodeCardSignature(sig);
  if (!signature) {
    const detail = 'sig is 64 bytes in base64url without padding, or in base64 with it';
    throw refuse('invalid_sig', { detail });
  }
  return { sig, signature, ts, at, nonce };
}
