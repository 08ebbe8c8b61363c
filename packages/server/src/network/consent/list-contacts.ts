import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import { readAccountId } from '../accounts/account-id.ts';
import type { Caller } from '../caller.ts';
import { contacts_listed_max } from '../limits.ts';
import { addressOf, type Network } from '../network.ts';
import { listBlocksOf } from './block-store.ts';
import { listContactsOf } from './contact-store.ts';

type ListContacts = typeof network_routes.listContacts;

/** The caller's contacts, and the accounts that it blocks itself (NET-126). */
export async function listContacts(
  network: Network,
  _call: Call<ListContacts>,
  { account: { account } }: Caller,
): Promise<Answer<ListContacts>> {
  const asked = { account, limit: contacts_listed_max };
  const contacts = await listContactsOf(network.read, asked);
  const blocks = await listBlocksOf(network.read, asked);
  return {
    status: 200,
    body: {
      contacts: await Promise.all(
        contacts.map(async (contact) => {
          const known = await network.accounts.byId(contact.account);
          const shown = view(network, contact);
          return { ...shown, display_name: known?.display_name ?? shown.handle };
        }),
      ),
      blocks: blocks.map((block) => view(network, block)),
    },
  };
}

function view(network: Network, { account, since }: { account: string; since: number }) {
  const { kind, handle } = readAccountId(account);
  const address = addressOf(network, handle);
  return { handle, address, account, kind, since: isoInstant(since) };
}
