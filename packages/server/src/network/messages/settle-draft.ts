import type { SignedFields } from '@stoa/proof/network';
import type { Answer, network_routes } from '@stoa/wire';
import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import { isOperator } from '../accounts/operator.ts';
import { holdMessage } from '../consent/hold-message.ts';
import type { Relation } from '../consent/relation-store.ts';
import { settleKey } from '../identity/sigil-keys.ts';
import type { Network } from '../network.ts';
import type { Draft } from './draft.ts';
import { fileMessage } from './file-message.ts';
import type { Message, Said } from './message.ts';
import { newMessageId } from './new-id.ts';

type RequestSent = Extract<Answer<typeof network_routes.sendMessage>, { status: 202 }>['body'];

/** What becomes of a draft; a refusal here counts as a message, a thrown one does not (D-NET-36). */
export type Settled =
  | { readonly delivered: Message }
  | { readonly held: RequestSent['request'] }
  | { readonly refused: RefusalError };

/** A draft with what is known of it before the unit of work. */
export type Checked = {
  readonly draft: Draft;
  readonly sender: Account;
  /** The recipient, or why there is none. */
  readonly recipient: Account | RefusalError;
  /** Refuses the draft before its key was looked at. */
  readonly foreseen?: RefusalError | undefined;
  /** What was signed, and the key by which it verified. */
  readonly signed: { readonly fields: SignedFields; readonly key: Buffer } | undefined;
};

const refused = (code: string, retry_after_ms?: number): Settled => ({
  refused: new RefusalError(code, retry_after_ms === undefined ? {} : { retry_after_ms }),
});

/** Counts a draft and delivers, holds or refuses it, in the order of D-NET-22. */
export async function settleDraft(network: Network, tx: Tx, checked: Checked): Promise<Settled> {
  const { draft, sender, recipient, foreseen, signed } = checked;
  await countMessage(network, tx, sender.account);
  if (recipient instanceof RefusalError) return { refused: recipient };
  if (foreseen) return { refused: foreseen };
  if (signed) await settleKey(network, tx, sender, signed.key);
  const [from, to] = [sender.account, recipient.account];
  const relation = await network.relations.within(tx, from, to);
  if (draft.thread !== '' && draft.thread !== relation.thread) return refused('unknown_thread');
  const refusal = await refusalOf(network, tx, relation, checked, to);
  if (signed) {
    const { nonce } = signed.fields;
    const is_new = refusal
      ? !(await network.nonces.isSpent(tx, from, nonce))
      : await network.nonces.spend(tx, from, nonce);
    if (!is_new) return refused('nonce_used');
  }
  if (refusal) return refusal;
  if (mayDeliver(relation, checked)) {
    return { delivered: await deliverDraft(network, tx, checked, { to, thread: relation.thread }) };
  }
  await countRequest(network, tx, { from, to });
  const held = await holdMessage(network, tx, {
    from_account: from,
    to_account: to,
    said: saidOf(checked),
    via: draft.via,
    is_blocked: relation.blocked_since !== null,
  });
  return { held };
}

/** What refuses a draft after its nonce was looked at; nothing if it is delivered or held. */
async function refusalOf(
  { accounts, clock }: Network,
  tx: Tx,
  relation: Relation,
  checked: Checked,
  to: string,
): Promise<Settled | undefined> {
  const recipient = await accounts.byIdWithin(tx, to);
  if (recipient?.require_signed === 1 && !checked.signed) return refused('signature_required');
  if (relation.blocks_since !== null) return refused('blocked_by_you');
  if (mayDeliver(relation, checked)) return undefined;
  if (relation.contact_since !== null) return refused('already_contacts');
  if (relation.pending_request !== null) return refused('request_pending');
  const wait_ms = Number(relation.ask_again_at ?? 0) - clock.now();
  return wait_ms > 0 ? refused('request_declined', wait_ms) : undefined;
}

/** Whether a draft needs no consent. */
function mayDeliver(relation: Relation, checked: Checked): boolean {
  const may_write = relation.contact_since !== null || isOperatorsWord(relation, checked);
  return may_write && checked.draft.via === null;
}

/** Whether the operator writes to an agent that does not block it: that needs no consent (D-NET-16). */
function isOperatorsWord({ blocked_since }: Relation, { sender, recipient }: Checked): boolean {
  const is_agent = 'kind' in recipient && recipient.kind === 'agent';
  return isOperator(sender) && is_agent && blocked_since === null;
}

async function deliverDraft(
  network: Network,
  tx: Tx,
  checked: Checked,
  { to, thread }: { to: string; thread: string | null },
): Promise<Message> {
  const now = network.clock.now();
  return fileMessage(network, tx, {
    id: newMessageId(network.random, now),
    from_account: checked.sender.account,
    to_account: to,
    said: saidOf(checked),
    via: null,
    sent_at: now,
    thread,
  });
}

function saidOf({ draft, signed }: Checked): Said {
  const { text, ts, nonce } = draft;
  const is_signed = signed !== undefined;
  return {
    text,
    signed: is_signed,
    verified: is_signed,
    ts,
    nonce,
    sig: draft.signed?.sig ?? null,
    signed_fields: signed?.fields ?? null,
  };
}

/** Counts a message of a sender; what writes without consent counts too (D-NET-44). */
export async function countMessage(
  { settings: { limits }, clock, tallies }: Network,
  tx: Tx,
  account: string,
): Promise<void> {
  const counted = { limits, tally: 'messages', account, now: clock.now() } as const;
  const retry_after_ms = await tallies.count(tx, counted);
  if (retry_after_ms !== undefined) throw new RefusalError('rate_limited', { retry_after_ms });
}

/** Counts a new request on both sides. */
async function countRequest(
  { settings: { limits }, clock, tallies }: Network,
  tx: Tx,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const now = clock.now();
  const retry_after_ms = await tallies.count(tx, { limits, tally: 'requests', account: from, now });
  if (retry_after_ms !== undefined) throw new RefusalError('rate_limited', { retry_after_ms });
  const wait_ms = await tallies.count(tx, { limits, tally: 'requests-to', account: to, now });
  if (wait_ms !== undefined) throw new RefusalError('recipient_busy');
}
