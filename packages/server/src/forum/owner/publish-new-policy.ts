import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import { recordAudit } from '../moderation/record-audit.ts';
import { publishPolicy } from '../policy/publish-policy.ts';
import { readPolicyText } from '../policy/read-policy-text.ts';

/** Publishes what the owner wrote as the next version of the policy (D-FORUM-13). */
export async function publishNewPolicy(
  forum: Forum,
  tx: Tx,
  { actor, text }: { actor: Account; text: string },
): Promise<{ version: number }> {
  const read = readPolicyText(text);
  if ('wrong' in read) {
    throw new RefusalError('bad_request', { detail: `policy ${read.wrong}` });
  }
  const published = await publishPolicy(forum, tx, read.content);
  if (!published) {
    throw new RefusalError('bad_request', {
      detail: 'policy says what the one in force says; change its text first',
    });
  }
  await recordAudit(forum, tx, {
    actor,
    action: 'policy_published',
    target_kind: 'policy',
    target_id: published.version,
  });
  return published;
}
