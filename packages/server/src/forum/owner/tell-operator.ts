import { forum_refusals } from '@stoa/wire';
import { RefusalError } from '../../refusal.ts';
import type { Forum } from '../forum.ts';

/**
 * Does what the operator orders; what is refused is told in whole sentences, for the command prints nothing but
 * these. `listing` is the command that lists what may be named.
 */
export async function tellOperator<Done>(
  forum: Pick<Forum, 'base'>,
  work: () => Promise<Done>,
  listing?: string,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    // @NOTE Every refusal of the room is in its table.
    const said = forum_refusals[error.code as keyof typeof forum_refusals];
    const { detail = said.message, hint } = error.options;
    const lists =
      listing === undefined ? undefined : `\`bin/stoa forum ${listing}\` lists what there is.`;
    const next = hint ?? (error.code === 'not_found' ? lists : undefined);
    const sentence = /[.!?]$/.test(detail) ? detail : `${detail}.`;
    const words = next === undefined ? sentence : `${sentence} ${next}`;
    throw new RefusalError(error.code, { detail: words.replaceAll('{base}', forum.base()) });
  }
}
