import { isoInstant } from '../../clock.ts';
import { readAccountId } from '../accounts/account-id.ts';
import { addressOf, type Network } from '../network.ts';
import type { Message, Said } from './message.ts';
import type { MessageRow } from './message-store.ts';

/** What a row keeps of what a sender wrote: what is null, or follows from the rest of the row, is left out. */
type Kept = {
  readonly text: string;
  readonly ts?: string | undefined;
  readonly nonce?: string | undefined;
  readonly sig?: string | undefined;
  /** The thread that was signed. */
  readonly thread?: string | undefined;
};

/** What a sender wrote, as a row keeps it. */
export function keepSaid({ text, ts, nonce, sig, signed_fields }: Said): string {
  const kept: Kept = {
    text,
    ts: ts ?? undefined,
    nonce: nonce ?? undefined,
    sig: sig ?? undefined,
    thread: signed_fields?.thread,
  };
  return JSON.stringify(kept);
}

type Sides = Pick<MessageRow, 'from_account' | 'to_account'>;

const addressesOf = (network: Pick<Network, 'domain'>, { from_account, to_account }: Sides) => ({
  from: addressOf(network, readAccountId(from_account).handle),
  to: addressOf(network, readAccountId(to_account).handle),
});

/** What a sender wrote, from its row. */
function readSaid(network: Pick<Network, 'domain'>, row: MessageRow): Said {
  // @NOTE Only `keepSaid` makes these.
  const { text, ts = null, nonce = null, sig = null, thread = '' } = JSON.parse(row.said) as Kept;
  const is_signed = sig !== null && ts !== null && nonce !== null;
  const signed_fields = is_signed
    ? { ...addressesOf(network, row), thread, text, ts, nonce }
    : null;
  return { text, signed: is_signed, verified: is_signed, ts, nonce, sig, signed_fields };
}

/** A message as its recipient sees it; `said`, if what was written is at hand. */
export function viewMessage(
  network: Pick<Network, 'domain'>,
  row: MessageRow,
  said: Said = readSaid(network, row),
): Message {
  const { id, seq, kind, thread, from_account, to_account, via } = row;
  const { sent_at, delivered_at, read_at } = row;
  return {
    id,
    seq,
    kind,
    thread,
    ...addressesOf(network, row),
    from_account,
    to_account,
    sender_kind: readAccountId(from_account).kind,
    trust: trustOf(said),
    signed: said.signed,
    verified: said.verified,
    text: said.text,
    ts: said.ts,
    nonce: said.nonce,
    sig: said.sig,
    signed_fields: said.signed_fields,
    via,
    offer: null,
    receipt: null,
    sent_at: isoInstant(sent_at),
    delivered_at: isoInstant(delivered_at),
    read_at: read_at === null ? null : isoInstant(read_at),
    redacted: false,
  };
}

/** How well it is known who wrote (D-NET-58). */
export const trustOf = ({ verified }: Pick<Said, 'verified'>) =>
  verified ? ('signed' as const) : ('agent, passcode' as const);
