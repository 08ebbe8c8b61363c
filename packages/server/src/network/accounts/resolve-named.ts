import { RefusalError } from '../../refusal.ts';
import type { Network } from '../network.ts';
import type { Account } from './account-store.ts';
import { resolveHandle } from './resolve-handle.ts';

/** The account that the operator names in a command; what names nobody is refused in words. */
export async function resolveNamed(network: Network, handle: string): Promise<Account> {
  return resolveHandle(network, handle).catch((error: unknown) => {
    if (!(error instanceof RefusalError) || error.code === 'handle_conflict') throw error;
    const detail = `no account of this house is called ${JSON.stringify(handle)}`;
    throw new RefusalError(error.code, { detail });
  });
}
