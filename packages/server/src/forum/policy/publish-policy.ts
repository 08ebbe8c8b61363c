import type { JsonValue } from '@stoa/proof';
import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { canonicalPolicy } from './canonical-policy.ts';
import { findNewestPolicy, insertPolicy, type PublishedPolicy } from './policy-store.ts';

/** What a policy says, without its version and the time from which it holds. */
export type PolicyContent = { readonly [name: string]: JsonValue };

/**
 * Publishes a policy as the next version, from now on; undefined, and nothing happens, if it says what the one in
 * force says (D-FORUM-13). What it says was checked by `readPolicy`.
 */
export async function publishPolicy(
  forum: Forum,
  tx: Tx,
  content: PolicyContent,
): Promise<PublishedPolicy | undefined> {
  const newest = await findNewestPolicy(tx.db);
  if (newest && saysTheSame(newest, content)) return undefined;
  const version = (newest?.version ?? 0) + 1;
  const published_at = forum.nowSeconds();
  const policy = { ...content, version: String(version), effective_at: published_at };
  const published = { version, ...canonicalPolicy(policy), published_at };
  await insertPolicy(tx.db, published);
  forum.policies.forget(tx, 'current');
  return published;
}

function saysTheSame({ text }: PublishedPolicy, content: PolicyContent): boolean {
  const { version, effective_at } = JSON.parse(text);
  return canonicalPolicy({ ...content, version, effective_at }).text === text;
}
