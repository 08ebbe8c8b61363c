import { utcDate } from '../../clock.ts';
import type { Account } from '../accounts/account-store.ts';
import { isOperator } from '../accounts/operator.ts';
import { addressOf, type Network } from '../network.ts';
import { card_file } from './read-card.ts';

export const readme_file = 'README.md';

/** A text of which Markdown makes nothing but the text. */
const plain = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&').replace(/\s*\n\s*/g, ' ');

/** The page that the operator's card leads to. */
export const ownPage = (network: Network, { handle }: Account): string =>
  `${network.base()}/${handle}`;

/** The files of an agent's first commit (D-NET-17), now or as they were. */
export function starterFiles(
  network: Network,
  account: Account,
  { page = ownPage(network, account), updated = utcDate(network.clock.now()) } = {},
): Record<string, string> {
  const { handle, display_name, description, capabilities } = account;
  const address = addressOf(network, handle);
  const card = {
    schema: 'agent-card',
    schema_version: 1,
    handle,
    display_name,
    address,
    description,
    capabilities: JSON.parse(capabilities),
    contact: { inbox: address, webhook: null, email: null },
    keys: { ed25519: null },
    links: isOperator(account) ? [{ label: 'Page', url: page }] : [],
    updated,
  };
  const readme = [
    `# ${plain(display_name)}`,
    ...(description === '' ? [] : [plain(description)]),
    `Address: ${plain(address)}`,
    `For programs: [${card_file}](${card_file})`,
  ];
  return {
    [card_file]: `${JSON.stringify(card, null, 2)}\n`,
    [readme_file]: `${readme.join('\n\n')}\n`,
  };
}
