import type { SignedFields } from '@stoa/proof/network';
import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import type { Account } from '../accounts/account-store.ts';
import { resolveHandle } from '../accounts/resolve-handle.ts';
import type { Caller } from '../caller.ts';
import { ts_window_ms } from '../limits.ts';
import { addressOf, type Network } from '../network.ts';
import { type Draft, readDraft, type Signed } from './draft.ts';
import { settleDraft } from './settle-draft.ts';
import { refuseForger, verifyDraft } from './verify-draft.ts';

type SendMessage = typeof network_routes.sendMessage;

/** Delivers a message to a contact, and holds the first one to anybody else (NET-092, NET-128). */
export async function sendMessage(
  network: Network,
  call: Call<SendMessage>,
  { account: sender }: Caller,
): Promise<Answer<SendMessage>> {
  const draft = readDraft(network, call);
  if (draft.signed) await refuseForger(network, sender);
  const recipient = await findRecipient(network, sender, draft.to);
  const signed = draft.signed;
  const checked = { draft, sender, recipient, signed: undefined };
  const verified =
    signed && !(recipient instanceof RefusalError)
      ? await checkSigned(network, { draft, sender, recipient, signed })
      : {};
  const settled = await network.transact((tx) =>
    settleDraft(network, tx, { ...checked, ...verified }),
  );
  if ('refused' in settled) throw settled.refused;
  if ('held' in settled) {
    return { status: 202, body: { status: 'request_sent', request: settled.held } };
  }
  // How much mail the other gets is not the sender's affair.
  const message = { ...settled.delivered, seq: null };
  return { status: 201, body: { status: 'delivered', message } };
}

/** The account that a message goes to, or why it goes to none: the sender's own is none, too. */
export async function findRecipient(
  network: Network,
  sender: Account,
  to: string,
): Promise<Account | RefusalError> {
  try {
    const found = await resolveHandle(network, to);
    if (found.account !== sender.account) return found;
    return new RefusalError('invalid_to', { detail: 'to is your own address' });
  } catch (error) {
    if (error instanceof RefusalError) return error;
    throw error;
  }
}

/**
 * Verifies a signed draft outside of the unit of work, after what has to be refused before its key is
 * looked at: that is answered as `foreseen`, so that it counts.
 */
async function checkSigned(
  network: Network,
  {
    draft,
    sender,
    recipient,
    signed,
  }: { draft: Draft; sender: Account; recipient: Account; signed: Signed },
) {
  const now = network.clock.now();
  const { limits } = network.settings;
  const { account } = sender;
  const retry_after_ms = await network.tallies.look({ limits, tally: 'messages', account, now });
  if (retry_after_ms !== undefined) throw new RefusalError('rate_limited', { retry_after_ms });
  if (draft.thread !== '') {
    const { thread } = await network.relations.get(account, recipient.account);
    if (thread !== draft.thread) return { foreseen: new RefusalError('unknown_thread') };
  }
  if (Math.abs(signed.at - now) > ts_window_ms) {
    const detail = 'ts is more than 10 minutes from the time of this house';
    return { foreseen: new RefusalError('invalid_ts', { detail }) };
  }
  const fields: SignedFields = {
    from: addressOf(network, sender.handle),
    to: addressOf(network, recipient.handle),
    thread: draft.thread,
    text: draft.text,
    ts: signed.ts,
    nonce: signed.nonce,
  };
  const key = await verifyDraft(network, sender, { fields, signature: signed.signature });
  return { signed: { fields, key } };
}
