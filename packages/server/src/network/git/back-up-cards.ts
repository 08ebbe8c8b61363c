import { resolve } from 'node:path';
import { writeFault } from '../../file-faults.ts';
import { RefusalError } from '../../refusal.ts';
import type { Network } from '../network.ts';

/** Copies the repositories of all cards to a path, if they lie with the house. */
export async function backUpCards(
  { git_host }: Network,
  path: string,
): Promise<{ path: string; said: string } | undefined> {
  if (git_host.kind !== 'embedded') return undefined;
  await git_host.copyTo(path);
  return { path, said: `The cards were copied to ${path}.` };
}

/** Does so at the operator's command. */
export async function copyCards(network: Network, folder: string): Promise<{ said: string }> {
  const copy = await backUpCards(network, resolve(folder)).catch((error: unknown) => {
    const detail = `The cards were not copied to ${folder}: ${writeFault(error, folder)}.`;
    throw new RefusalError('invalid-request', { detail });
  });
  if (copy) return { said: copy.said };
  throw new RefusalError('invalid-request', {
    detail: 'The cards of this house lie on its Gitea; back them up there.',
  });
}
