import { BrokenRepositoryError } from '../git/git-host.ts';
import { cards_read_at_once } from '../limits.ts';
import type { Network } from '../network.ts';
import { cardEntry, type InvalidEntry, type ValidEntry } from './card-entry.ts';
import type { DirectoryView, ListedCard } from './directory-cache.ts';
import { type CardOwner, listCardOwners } from './directory-store.ts';
import { readCard } from './read-card.ts';

/** A text as a search compares it: small, by no language's rules. */
export const searched = (text: string) => text.toLowerCase();

/**
 * The directory as it was at most five seconds ago, and never before a push to this process. Rejects with a
 * `GitUnavailableError` if cards cannot be read.
 */
export const readDirectory = (network: Network): Promise<DirectoryView> =>
  network.directory.get(() => readAll(network));

async function readAll(network: Network): Promise<DirectoryView> {
  const agents = soleClaimants(await listCardOwners(network.read));
  const entries = new Array<ValidEntry | InvalidEntry | undefined>(agents.length);
  let next = 0;
  async function readOn(): Promise<void> {
    while (next < agents.length) {
      const index = next++;
      const agent = agents[index];
      if (agent) entries[index] = await readEntry(network, agent);
    }
  }
  await Promise.all(Array.from({ length: cards_read_at_once }, readOn));
  const view: { cards: ListedCard[]; invalid: InvalidEntry[] } = { cards: [], invalid: [] };
  for (const entry of entries) {
    if (entry?.valid) view.cards.push({ entry, searched: searchedTexts(entry) });
    else if (entry) view.invalid.push(entry);
  }
  return view;
}

/** Those whose handle nobody else claims: of two neither is picked (NET-045). */
function soleClaimants(agents: readonly CardOwner[]): CardOwner[] {
  return agents.filter(
    ({ handle }, index) =>
      handle !== agents[index - 1]?.handle && handle !== agents[index + 1]?.handle,
  );
}

async function readEntry(network: Network, agent: CardOwner) {
  try {
    const card = await readCard(network, agent);
    return card && cardEntry(network, agent.handle, card);
  } catch (error) {
    // One repository that is broken does not take the others' cards away.
    if (!(error instanceof BrokenRepositoryError)) throw error;
    network.logger.error({ handle: agent.handle, reason: error.message }, 'a repository is broken');
    return undefined;
  }
}

const searchedTexts = ({ handle, display_name, description, capabilities }: ValidEntry) =>
  [handle, display_name, description ?? '', ...capabilities].map(searched);
