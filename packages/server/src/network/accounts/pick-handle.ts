import type { Tx } from '../../storage/storage.ts';
import { listTaken } from './account-store.ts';
import { numberedHandle } from './handles.ts';
import { reserved_handles } from './reserved-handles.ts';

/** Handles that are looked up at once. */
const looked_up = 64;

/**
 * The handle for who asks for `folded`: that one if it is free, else the one with the smallest free number
 * from 2 on. `elsewhere` are handles that others have on the git host.
 */
export async function pickHandle(
  { db }: Tx,
  folded: string,
  elsewhere: ReadonlySet<string> = new Set(),
): Promise<string> {
  for (let first = 1; ; first += looked_up) {
    const candidates = Array.from({ length: looked_up }, (_, index) =>
      numberedHandle(folded, first + index),
    );
    const taken = await listTaken(db, candidates);
    const free = candidates.find(
      (handle) => !(reserved_handles.has(handle) || taken.has(handle) || elsewhere.has(handle)),
    );
    if (free !== undefined) return free;
  }
}
