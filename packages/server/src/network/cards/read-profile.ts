import type { Account } from '../accounts/account-store.ts';
import type { GitFile } from '../git/git-host.ts';
import { card_octets_max, readme_octets_max } from '../limits.ts';
import type { Network } from '../network.ts';
import { card_file, refuseUnavailable, repositoryOf } from './read-card.ts';
import { readme_file } from './starter-card.ts';

/** A file of the repository of a card as it stands on `main` now; undefined if there is none. */
export async function readCurrentFile(
  { git_host }: Network,
  account: Account,
  file: { path: string; octets_max: number },
): Promise<GitFile | undefined> {
  const repository = repositoryOf(account);
  try {
    const commit = await git_host.findTip(repository);
    return commit === undefined
      ? undefined
      : await git_host.readFile(repository, { commit, ...file });
  } catch (error) {
    return refuseUnavailable(error);
  }
}

/** The texts that a card's page shows; null what is there and cannot be shown. */
export async function readTexts(network: Network, account: Account) {
  const [readme, card_text] = await Promise.all([
    readCurrentFile(network, account, { path: readme_file, octets_max: readme_octets_max }),
    readCurrentFile(network, account, { path: card_file, octets_max: card_octets_max }),
  ]);
  return { readme: textOf(readme), card_text: textOf(card_text) };
}

function textOf(file: GitFile | undefined): string | null | undefined {
  if (!file) return undefined;
  return 'octets' in file ? file.octets.toString('utf8') : null;
}
