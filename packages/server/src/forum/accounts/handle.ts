import { keyedDigest } from '../../secrets.ts';
import type { Forum } from '../forum.ts';
import type { Account } from './account-store.ts';

/** Names that would pass for the house or for all of its members (D-FORUM-22). */
const held_back: ReadonlySet<string> = new Set([
  'admin',
  'administrator',
  'moderator',
  'staff',
  'system',
  'stoa',
  'server',
  'anonymous',
  'deleted',
  'everyone',
  'all',
  'here',
]);

/** Whether nobody gets this handle, used or not. */
export const isHeldBack = (handle: string): boolean => held_back.has(handle);

/** What is stored of a handle to know it again once its account is gone: nobody else can compute it. */
export function handleDigest({ house_key }: Pick<Forum, 'house_key'>, handle: string): Buffer {
  return keyedDigest(house_key, `forum-handle ${handle}`);
}

/** The handle of an account that is not deleted. */
export function handleOf({ id, handle }: Pick<Account, 'id' | 'handle'>): string {
  if (handle === null) throw new Error(`account ${id} is deleted`);
  return handle;
}
