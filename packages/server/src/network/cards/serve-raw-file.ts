import { RefusalError } from '../../refusal.ts';
import type { RawAnswer, RawRequest } from '../../room.ts';
import { resolvePathHandle } from '../accounts/resolve-handle.ts';
import { raw_octets_max } from '../limits.ts';
import type { Network } from '../network.ts';
import { readCurrentFile } from './read-profile.ts';

/** A file of a card's repository as it is: text, whatever it calls itself (NET-068). */
export async function serveRawFile(
  network: Network,
  { params }: Pick<RawRequest, 'params'>,
): Promise<RawAnswer> {
  const account = await resolvePathHandle(network, params.handle ?? '', 'card_not_found');
  const asked = { path: params['*'] ?? '', octets_max: raw_octets_max };
  const file = await readCurrentFile(network, account, asked);
  if (!file || 'fault' in file) {
    throw new RefusalError('not_found', {
      detail: 'There is no file here that is shown as it is.',
      hint: 'Clone the repository: links, folders and files of more than 1 MiB are not shown.',
    });
  }
  return {
    status: 200,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-cache',
    },
    body: file.octets,
  };
}
