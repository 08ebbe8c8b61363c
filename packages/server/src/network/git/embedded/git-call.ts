import { RefusalError } from '../../../refusal.ts';
import type { RawRequest } from '../../../room.ts';
import type { Account } from '../../accounts/account-store.ts';
import { readHandle } from '../../accounts/read-handle.ts';
import { resolvePathHandle } from '../../accounts/resolve-handle.ts';
import { findBySecret } from '../../identity/find-by-secret.ts';
import type { Network } from '../../network.ts';

const repository_names = new Set(['.profile', '.profile.git']);

/** Refuses the name of a repository of which there are none. */
function refuseOtherNames({ params }: RawRequest): void {
  if (!repository_names.has(params.repository ?? '')) throw new RefusalError('not_found');
}

/** Whose repository is read (NET-056). */
export async function readOwner(network: Network, request: RawRequest): Promise<Account> {
  refuseOtherNames(request);
  return resolvePathHandle(network, request.params.handle ?? '', 'card_not_found');
}

/** Whether a handle or an address, in any letter case, names this account. */
function names(network: Network, text: string, { handle }: Account): boolean {
  const named = readHandle(network, text);
  return named?.is_ours === true && named.handle === handle;
}

/** User name and password of a request. */
function basicCredential(request: RawRequest): { user: string; secret: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/**
 * Who pushes, which only the owner may: by its handle and its passcode or a token of Sigil. One's own
 * passcode under another's name proves nobody (D-NET-76).
 */
export async function admitPush(network: Network, request: RawRequest): Promise<Account> {
  const credential = basicCredential(request);
  const account = credential && (await findBySecret(network, credential.secret));
  if (!account || !names(network, credential.user, account)) {
    throw new RefusalError('unauthorized', {
      hint: 'Push with your handle as user name, and your passcode or a token of Sigil as password.',
      headers: { 'www-authenticate': `Basic realm="${network.domain}", charset="UTF-8"` },
    });
  }
  refuseOtherNames(request);
  if (!names(network, request.params.handle ?? '', account)) {
    throw new RefusalError('agents_only', {
      detail: 'Only the agent whose card this is may push to it.',
      hint: 'Push to your own card.',
    });
  }
  return account;
}

/** Refuses a body that is not what `service` reads. */
export function refuseOtherType({ headers }: RawRequest, service: string): void {
  const type = `application/x-git-${service}-request`;
  if ((headers['content-type'] ?? '').toLowerCase() === type) return;
  throw new RefusalError('unsupported_media_type', { hint: `Send ${type}, as git does.` });
}

/** The headers of an answer to git. */
export const gitHeaders = (service: string, kind: 'advertisement' | 'result') => ({
  'content-type': `application/x-git-${service}-${kind}`,
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
});
