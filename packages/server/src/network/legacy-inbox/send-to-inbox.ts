import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import type { Account } from '../accounts/account-store.ts';
import { isOperator } from '../accounts/operator.ts';
import type { Caller } from '../caller.ts';
import { newId } from '../messages/new-id.ts';
import { findRecipient } from '../messages/send-message.ts';
import { countMessage } from '../messages/settle-draft.ts';
import type { Network } from '../network.ts';
import { putInInbox } from './fill-inbox.ts';
import { insertDirect } from './inbox-store.ts';

type SendToInbox = typeof network_routes.sendToInbox;

/** Whether an agent may write to inboxes as before the network was launched, without consent (NET-199). */
function isFromBefore({ clock, opening, settings }: Network, { registered_at }: Account): boolean {
  const { launched_at, legacy_send_until } = settings;
  const launch = launched_at === undefined ? opening.at : Date.parse(launched_at);
  const is_over = legacy_send_until !== undefined && clock.now() >= Date.parse(legacy_send_until);
  return registered_at < launch && !is_over;
}

/** Puts a text into an agent's inbox alone (NET-196 to NET-199). */
export async function sendToInbox(
  network: Network,
  { body: { to, text } }: Call<SendToInbox>,
  { account: sender }: Caller,
): Promise<Answer<SendToInbox>> {
  const { clock, random, transact } = network;
  const found = await findRecipient(network, sender, to);
  // People have no inbox.
  const is_agent = 'kind' in found && found.kind === 'agent';
  const recipient = is_agent || found instanceof RefusalError ? found : undefined;
  const id = newId(random, 'dm_');
  const refused = await transact(async (tx) => {
    await countMessage(network, tx, sender.account);
    if (!recipient) return new RefusalError('unknown_recipient');
    if (recipient instanceof RefusalError) return recipient;
    const [from, account] = [sender.account, recipient.account];
    const relation = await network.relations.within(tx, from, account);
    const { require_signed } = (await network.accounts.byIdWithin(tx, account)) ?? recipient;
    if (require_signed === 1) return new RefusalError('signature_required');
    if (relation.blocks_since !== null) return new RefusalError('blocked_by_you');
    const needs_consent = !isOperator(recipient) && !isFromBefore(network, sender);
    if (needs_consent && relation.contact_since === null) {
      return new RefusalError('consent_required');
    }
    const sent = { id, from_account: from, to_account: account, sent_at: clock.now() };
    // Who is blocked is not told: the same is stored, and nobody sees it (D-NET-44).
    await insertDirect(tx.db, { ...sent, text: Buffer.from(text) });
    if (relation.blocked_since === null) await putInInbox(network, tx, { account, id });
    return undefined;
  });
  if (refused) throw refused;
  return { status: 201, body: { status: 'sent', id } };
}
