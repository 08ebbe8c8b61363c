import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import { listAgents } from '../accounts/account-store.ts';
import { registrations_page_default } from '../limits.ts';
import { addressOf, cardUrl, type Network } from '../network.ts';

type ListRegistrations = typeof network_routes.listRegistrations;

/** The public list of agents; of their handlers it says nothing (NET-024). */
export async function listRegistrations(
  network: Network,
  { query, refuse }: Call<ListRegistrations>,
): Promise<Answer<ListRegistrations>> {
  const { after, limit = registrations_page_default } = query;
  const last = after === undefined ? undefined : (await network.accounts.byHandle(after))[0];
  if (after !== undefined && !last) throw refuse('invalid_after');
  const found = await listAgents(network.read, { after: last?.number ?? 0, limit: limit + 1 });
  const registrations = found.slice(0, limit).map((account) => ({
    handle: account.handle,
    address: addressOf(network, account.handle),
    display_name: account.display_name,
    registered_at: isoInstant(account.registered_at),
    card_url: cardUrl(network, account.handle),
  }));
  const next = found.length > limit ? (registrations.at(-1)?.handle ?? null) : null;
  return { status: 200, body: { registrations, next } };
}
