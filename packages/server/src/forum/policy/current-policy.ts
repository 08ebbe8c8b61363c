import { RefusalError, type RefusalOptions } from '../../refusal.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';

/** The policy that is in force. */
export type CurrentPolicy = {
  readonly version: string;
  /** Of `text`, in small hexadecimal digits. */
  readonly sha256: string;
  /** Its canonical JSON, as it was digested. */
  readonly text: string;
};

/** The policy that is in force; it was published before anybody could ask. */
export async function currentPolicy({ policies }: Pick<Forum, 'policies'>): Promise<CurrentPolicy> {
  const policy = await policies.get('current');
  if (!policy) throw new Error('no policy was published');
  return { version: String(policy.version), sha256: policy.sha256, text: policy.text };
}

/** Whether what an account has accepted is `policy`. */
export function acceptsPolicy(
  account: Pick<Account, 'accepted_policy_version' | 'accepted_policy_sha256'>,
  { version, sha256 }: CurrentPolicy,
): boolean {
  return account.accepted_policy_version === version && account.accepted_policy_sha256 === sha256;
}

/** Refuses who goes by another policy, and says which is in force. */
export function policyOutdated(
  { version, sha256 }: CurrentPolicy,
  options: Pick<RefusalOptions, 'hint'> = {},
): RefusalError {
  return new RefusalError('policy_outdated', {
    ...options,
    more: { policy_sha256: sha256, policy_version: version },
  });
}
