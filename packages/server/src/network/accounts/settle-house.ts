import { StartError } from '../../start-fault.ts';
import type { Tx } from '../../storage/storage.ts';
import { provisionCard } from '../cards/provision-card.ts';
import { settleOwnPage } from '../cards/settle-own-page.ts';
import type { Network } from '../network.ts';
import { type Account, findAccount, insertAccount, nextNumber } from './account-store.ts';
import { findHouse, insertHouse, type SettledHouse } from './house-store.ts';
import { operator_account, operator_handle } from './operator.ts';

/**
 * Settles at the first start what never changes afterwards: the domain of all addresses, and the account
 * of the operator with its card, which leads to the house where it is now. Rejects with a `StartError` if the domain is another than it was then:
 * cards and signatures hold it (D-NET-02, D-NET-16).
 */
export async function settleHouse(network: Network): Promise<void> {
  const { house, operator } = await network.transact(async (tx) => ({
    house: await settleDomain(network, tx),
    operator: await settleOperator(network, tx),
  }));
  network.opening.at = house.opened_at;
  if (operator.git_state === 'pending') await provisionCard(network, operator);
  else await settleOwnPage(network, operator);
}

async function settleDomain({ clock, domain }: Network, { db }: Tx): Promise<SettledHouse> {
  const known = await findHouse(db);
  if (!known) {
    const house = { domain, opened_at: clock.now() };
    await insertHouse(db, house);
    return house;
  }
  if (known.domain !== domain) {
    throw new StartError(
      `network.domain is ${domain}, but since the first start all addresses end in @${known.domain}; ` +
        `set domain = "${known.domain}" under [network]`,
    );
  }
  return known;
}

async function settleOperator({ accounts, clock }: Network, tx: Tx): Promise<Account> {
  const known = await findAccount(tx.db, operator_account);
  if (known) return known;
  const made = await insertAccount(tx.db, {
    account: operator_account,
    handle: operator_handle,
    kind: 'agent',
    number: await nextNumber(tx.db),
    display_name: 'Leora',
    description: 'Concierge and operator of this house.',
    capabilities: JSON.stringify(['concierge', 'introductions']),
    handler_name: null,
    handler_email: null,
    // Until `stoa network passcode leora` gives it one.
    passcode_digest: null,
    registered_at: clock.now(),
    git_state: 'pending',
    git_user_id: null,
    read_receipts: 0,
    require_signed: 0,
  });
  accounts.changed(tx, made);
  return made;
}
