import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { isLoopbackAddress } from '../../addresses.ts';
import type { Account } from '../accounts/account-store.ts';
import { GitUnavailableError } from '../git/git-host.ts';
import { card_octets_max } from '../limits.ts';
import type { Network } from '../network.ts';
import { newRepository } from './provision-card.ts';
import { card_file, repositoryOf } from './read-card.ts';
import { ownPage, starterFiles } from './starter-card.ts';

const linked_card = Type.Object({
  links: Type.Tuple([Type.Object({ url: Type.String() })]),
  updated: Type.String(),
});

/** The page that the operator's card leads to, and since when, as it stands there. */
async function readOwnPage({ git_host }: Network, operator: Account) {
  const repository = repositoryOf(operator);
  const commit = await git_host.findTip(repository);
  const asked = { path: card_file, octets_max: card_octets_max };
  const file = commit && (await git_host.readFile(repository, { commit, ...asked }));
  if (!file || !('octets' in file)) return undefined;
  try {
    const card: unknown = JSON.parse(file.octets.toString('utf8'));
    if (!Check(linked_card, card)) return undefined;
    return { page: card.links[0].url, updated: card.updated };
  } catch {
    return undefined;
  }
}

/**
 * Lets the operator's card lead to its page where that now is, once the house has another URL. A card that
 * the operator has changed, or that lies on a Gitea, stays as it is, and the log says so; and so does one of
 * a house that is reached from its own machine alone, whose processes may each have a URL of their own.
 */
export async function settleOwnPage(network: Network, operator: Account): Promise<void> {
  const { git_host, logger } = network;
  const page = ownPage(network, operator);
  const host = new URL(page).hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || isLoopbackAddress(host)) return;
  try {
    const known = await readOwnPage(network, operator);
    if (!known || known.page === page || !known.page.endsWith(`/${operator.handle}`)) return;
    const before = starterFiles(network, operator, known);
    const is_settled =
      git_host.kind === 'embedded' &&
      (await git_host.replaceFiles(newRepository(network, operator), before));
    network.cards.drop(operator.handle);
    if (!is_settled) {
      logger.warn(
        { handle: operator.handle, page },
        'a card leads to a page that has moved: push it anew',
      );
    }
  } catch (error) {
    if (!(error instanceof GitUnavailableError)) throw error;
    logger.warn({ handle: operator.handle, reason: error.message }, 'a card cannot be read');
  }
}
