import { makeOwner } from './accounts/make-owner.ts';
import type { Forum } from './forum.ts';
import { default_policy } from './policy/default-policy.ts';
import { findNewestPolicy } from './policy/policy-store.ts';
import { publishPolicy } from './policy/publish-policy.ts';

/** Makes what a forum has from its first start on: a policy, and the account of its owner. */
async function foundForum(forum: Forum): Promise<void> {
  await forum.transact(async (tx) => {
    const policy =
      (await findNewestPolicy(tx.db)) ?? (await publishPolicy(forum, tx, default_policy));
    if (policy) await makeOwner(forum, tx, policy);
  });
}

/** Founds the forum at once, and again when asked if that failed; what it answers resolves once it is founded. */
export function openFounding(forum: Forum): () => Promise<void> {
  let founding: Promise<void> | undefined;
  const found = () => {
    founding ??= foundForum(forum).catch((error) => {
      founding = undefined;
      throw error;
    });
    return founding;
  };
  found().catch((error) => forum.logger.error({ err: error }, 'the forum was not founded'));
  return found;
}
