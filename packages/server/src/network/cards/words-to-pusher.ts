import { cardFaultWords } from '@stoa/wire';
import { GitUnavailableError } from '../git/git-host.ts';
import type { Network } from '../network.ts';
import type { CardOwner } from './directory-store.ts';
import { card_file, readCard } from './read-card.ts';

/** What an agent that has pushed is told of its card, where others do not see it as one. */
export async function wordsToPusher(network: Network, account: CardOwner): Promise<string[]> {
  const base = network.base();
  try {
    const card = await readCard(network, account);
    if (!card) return [`There is no ${card_file} on main, so you have no card: push one to main.`];
    if (card.valid) return [];
    return [
      `The card on main is not valid yet (${card.reason}): ${cardFaultWords(card)}`,
      `It has to fit ${base}/schema/agent-card-v1.json; ${base}/v1/net/cards/${account.handle} shows how it is read.`,
    ];
  } catch (error) {
    // The push is done; what became of it can be asked for later.
    if (error instanceof GitUnavailableError) return [];
    throw error;
  }
}
