/** What the first item of every chain names as the hash before it. */
export const genesis_hash = '0'.repeat(64);

/** How an item is tied into its chain: the hash of the item before, and its own. */
export type Link = { readonly prev_hash: string; readonly hash: string };

/** What may be wrong with a link: it does not hash to `hash`, or does not follow the item before. */
export type ChainFault = 'hash' | 'prev_hash';

/** The outcome of `verifyChain`; positions count from 0, `head` is the hash of the last item. */
export type ChainVerdict =
  | { readonly ok: true; readonly count: number; readonly head: string }
  | { readonly ok: false; readonly position: number; readonly fault: ChainFault };

/**
 * What is wrong with one link of a chain, if anything. The item's own hash is looked at first.
 *
 * @param link the link as stored
 * @param expected `hash`: what the item hashes to, `undefined` where its content is withheld and
 *   only the link can be checked; `prev_hash`: the hash of the item before
 */
export function linkFault(
  link: Link,
  expected: { hash: string | undefined; prev_hash: string },
): ChainFault | undefined {
  if (expected.hash !== undefined && link.hash !== expected.hash) return 'hash';
  return link.prev_hash === expected.prev_hash ? undefined : 'prev_hash';
}

/**
 * Checks a chain from its start, or from the item after `start`, and names the first broken link.
 *
 * @param items in order
 * @param rule `linkOf` reads an item's link, `hashOf` computes its hash anew (`undefined` where the
 *   content is withheld), `start` is the hash before the first item: the genesis hash if left out
 */
export function verifyChain<Item>(
  items: Iterable<Item>,
  rule: {
    linkOf: (item: Item) => Link;
    hashOf: (item: Item) => string | undefined;
    start?: string;
  },
): ChainVerdict {
  let head = rule.start ?? genesis_hash;
  let count = 0;
  for (const item of items) {
    const link = rule.linkOf(item);
    const fault = linkFault(link, { hash: rule.hashOf(item), prev_hash: head });
    if (fault !== undefined) return { ok: false, position: count, fault };
    head = link.hash;
    count += 1;
  }
  return { ok: true, count, head };
}
