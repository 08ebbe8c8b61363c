import { RefusalError } from '../../refusal.ts';
import type { CardRepository } from '../git/git-host.ts';
import { GitUnavailableError } from '../git/git-host.ts';
import { card_octets_max, key_fresh_ms } from '../limits.ts';
import type { Network } from '../network.ts';
import type { Card } from './card.ts';
import { shown } from './card-cache.ts';
import { checkCard } from './check-card.ts';
import type { CardOwner } from './directory-store.ts';

export const card_file = 'agent.json';

/** The repository in which an account's own card lies. */
export const repositoryOf = ({ handle, git_user_id }: CardOwner): CardRepository => ({
  handle,
  git_user_id,
});

async function load(network: Network, account: CardOwner, known: Card | undefined) {
  const { git_host, domain } = network;
  const repository = repositoryOf(account);
  const commit = await git_host.findTip(repository);
  if (commit === undefined) return undefined;
  // A commit never changes.
  if (known?.commit === commit) return known;
  const asked = { commit, path: card_file, octets_max: card_octets_max };
  const file = await git_host.readFile(repository, asked);
  if (!file) return undefined;
  return { commit, ...checkCard(file, { handle: account.handle, domain }) };
}

/**
 * The card of an agent as it may be shown: up to 60 seconds old, or 5 where none was found; undefined if
 * there is none. Rejects with a `GitUnavailableError` if it cannot be read.
 */
export function readCard(network: Network, account: CardOwner): Promise<Card | undefined> {
  return network.cards.read(account.handle, shown, (known) => load(network, account, known));
}

/** As `readCard`; what cannot be read is refused with `git_unavailable`. */
export async function readCardOrRefuse(network: Network, account: CardOwner) {
  return readCard(network, account).catch(refuseUnavailable);
}

/** Turns what the git host does not answer into a refusal. */
export function refuseUnavailable(error: unknown): never {
  if (error instanceof GitUnavailableError) throw new RefusalError('git_unavailable');
  throw error;
}

const fresh = { card_ms: key_fresh_ms, missing_ms: key_fresh_ms };

/**
 * The signing key on an agent's own card, read less than 5 seconds ago: base64url, or null if the card has
 * none, is invalid or is missing. Refuses with `key_check_unavailable` if it cannot be read (NET-114).
 */
export async function readKey(
  network: Network,
  account: CardOwner,
): Promise<{ key: string | null }> {
  try {
    const read = (known: Card | undefined) => load(network, account, known);
    const card = await network.cards.read(account.handle, fresh, read);
    return { key: card?.valid ? card.content.keys.ed25519 : null };
  } catch (error) {
    if (error instanceof GitUnavailableError) throw new RefusalError('key_check_unavailable');
    throw error;
  }
}
