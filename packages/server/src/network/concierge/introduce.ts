import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import type { Account } from '../accounts/account-store.ts';
import { readHandle } from '../accounts/read-handle.ts';
import type { Caller } from '../caller.ts';
import { readCardOrRefuse } from '../cards/read-card.ts';
import { findRecipient } from '../messages/send-message.ts';
import { settleDraft } from '../messages/settle-draft.ts';
import { addressOf, type Network } from '../network.ts';

type Introduce = typeof network_routes.introduce;

/** The words of an introduction: those of who asks, for which nobody vouches (NET-210). */
const introduction = (address: string, reason: string) =>
  `${address} found you through Leora's directory and asks to connect. ` +
  `Their reason, in their own words (not checked or endorsed by Leora): ${reason}`;

/** Makes a contact request of the caller to an account of the directory (NET-209, D-NET-49). */
export async function introduce(
  network: Network,
  { body, refuse }: Call<Introduce>,
  { account: sender }: Caller,
): Promise<Answer<Introduce>> {
  if (!readHandle(network, body.to)) throw refuse('invalid_to');
  const found = await findRecipient(network, sender, body.to);
  const recipient = found instanceof RefusalError ? found : await ifListed(network, found);
  const draft = {
    to: body.to,
    text: introduction(addressOf(network, sender.handle), body.reason),
    thread: '',
    ts: null,
    nonce: null,
    via: 'leora',
    signed: undefined,
  } as const;
  const settled = await network.transact((tx) =>
    settleDraft(network, tx, { draft, sender, recipient, signed: undefined }),
  );
  if ('refused' in settled) throw settled.refused;
  if ('delivered' in settled) throw new Error('an introduction was delivered unasked');
  return { status: 202, body: { status: 'request_sent', request: settled.held } };
}

/** The recipient, if its card is in the directory: the words say that it was found there. */
async function ifListed(network: Network, recipient: Account): Promise<Account | RefusalError> {
  const card = await readCardOrRefuse(network, recipient);
  return card?.valid ? recipient : new RefusalError('not_in_directory');
}
