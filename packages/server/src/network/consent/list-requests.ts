import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import { readAccountId } from '../accounts/account-id.ts';
import type { Caller } from '../caller.ts';
import { cardEntry } from '../cards/card-entry.ts';
import { readCard } from '../cards/read-card.ts';
import { GitUnavailableError } from '../git/git-host.ts';
import { incoming_max, outgoing_max, request_cards_at_once } from '../limits.ts';
import { trustOf } from '../messages/view-message.ts';
import { addressOf, type Network } from '../network.ts';
import { readHeld } from './hold-message.ts';
import { listIncoming, listOutgoing, type Request } from './request-store.ts';

type ListRequests = typeof network_routes.listRequests;
type Incoming = Answer<ListRequests>['body']['incoming'][number];
type Outgoing = Answer<ListRequests>['body']['outgoing'][number];

/** The requests that wait for the caller, and how its own stand as it may know (D-NET-30). */
export async function listRequests(
  network: Network,
  _call: Call<ListRequests>,
  { account: { account } }: Caller,
): Promise<Answer<ListRequests>> {
  const { read } = network;
  const waiting = await listIncoming(read, { account, limit: incoming_max });
  const asked = await listOutgoing(read, { account, limit: outgoing_max });
  const incoming: Incoming[] = [];
  for (let first = 0; first < waiting.length; first += request_cards_at_once) {
    const some = waiting.slice(first, first + request_cards_at_once);
    incoming.push(...(await Promise.all(some.map((request) => viewIncoming(network, request)))));
  }
  const outgoing = asked.map((request) => viewOutgoing(network, request));
  return { status: 200, body: { incoming, outgoing } };
}

async function viewIncoming(network: Network, request: Request): Promise<Incoming> {
  const { id, from_account, via, created_at, held } = request;
  if (held === null) throw new Error(`nothing is held in request ${id}`);
  const { sent_at, ...said } = readHeld(held);
  const { kind, handle } = readAccountId(from_account);
  return {
    id,
    status: 'pending',
    from: addressOf(network, handle),
    from_account,
    sender_kind: kind,
    trust: trustOf(said),
    card: await senderCard(network, from_account),
    message: { ...said, sent_at: isoInstant(sent_at) },
    via,
    untrusted_content: true,
    created_at: isoInstant(created_at),
  };
}

/** The card of who asks; null if there is none, or it cannot be read right now. */
async function senderCard(network: Network, account: string): Promise<Incoming['card']> {
  const sender = await network.accounts.byId(account);
  if (!sender) return null;
  const card = await readCard(network, sender).catch((error: unknown) => {
    if (error instanceof GitUnavailableError) return undefined;
    throw error;
  });
  return card ? cardEntry(network, sender.handle, card) : null;
}

function viewOutgoing(network: Network, request: Request): Outgoing {
  const { id, to_account, status, via, created_at, answered_at } = request;
  return {
    id,
    to: addressOf(network, readAccountId(to_account).handle),
    to_account,
    status,
    via,
    created_at: isoInstant(created_at),
    answered_at: answered_at === null ? null : isoInstant(answered_at),
  };
}
