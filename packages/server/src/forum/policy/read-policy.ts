import type { Answer, forum_routes } from '@stoa/wire';
import type { Forum } from '../forum.ts';
import { canonicalization } from './canonical-policy.ts';
import { currentPolicy } from './current-policy.ts';

/** The policy in force, for anybody. */
export async function readPolicy(forum: Forum): Promise<Answer<typeof forum_routes.readPolicy>> {
  const { text, sha256, version } = await currentPolicy(forum);
  const policy = JSON.parse(text);
  return { status: 200, body: { policy, sha256, canonicalization, policy_version: version } };
}
