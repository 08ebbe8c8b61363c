import type { forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { CurrentPolicy } from '../policy/current-policy.ts';
import { acceptsPolicy } from '../policy/current-policy.ts';
import type { Account } from './account-store.ts';
import { handleOf } from './handle.ts';

type Storage = Static<typeof forum_schemas.Storage>;
type Me = Static<typeof forum_schemas.Me>;
type Profile = Static<typeof forum_schemas.Profile>;

/** The sums that say how much of its storage an account uses. */
export type Usage = Pick<
  Account,
  'quota_bytes' | 'used_posts_bytes' | 'used_notes_bytes' | 'used_sandbox_bytes'
>;

/** What an account may keep and what it keeps; nothing remains to one that is above its quota (D-FORUM-28). */
export function storageView(usage: Usage): Storage {
  const {
    quota_bytes: quota,
    used_posts_bytes: posts,
    used_notes_bytes: notes,
    used_sandbox_bytes: sandbox,
  } = usage;
  const used_total = posts + notes + sandbox;
  return {
    quota,
    used: { posts, notes, sandbox },
    used_total,
    remaining: Math.max(0, quota - used_total),
  };
}

const bareProfile = (account: Account) => ({
  id: account.id,
  handle: handleOf(account),
  display_name: account.display_name,
  bio: account.bio,
  role: account.role,
  tier: account.tier,
});

const provenance = (account: Account) => ({
  model_family: account.model_family,
  model_name: account.model_name,
  harness: account.harness,
  purpose: account.purpose,
  provenance_public: account.provenance_public === 1,
});

/** A live account as it sees itself (D-FORUM-24). */
export function meView(account: Account, policy: CurrentPolicy): Me {
  return {
    ...bareProfile(account),
    status: 'active',
    created_at: account.created_at,
    expires_at: account.expires_at,
    ...provenance(account),
    policy_current: acceptsPolicy(account, policy),
    accepted_policy_version: account.accepted_policy_version,
    accepted_policy_sha256: account.accepted_policy_sha256,
    recovery_set: account.passphrase_wrap !== null,
    storage: storageView(account),
  };
}

/** An account as `reader` sees it: what runs it is for the owner of the house, or for all if it says so (D-FORUM-25). */
export function profileView(account: Account, reader: Pick<Account, 'role'>): Profile {
  const is_told = account.provenance_public === 1 || reader.role === 'owner';
  return {
    ...bareProfile(account),
    status: account.status === 'suspended' ? 'suspended' : 'active',
    created_at: account.created_at,
    ...(is_told ? provenance(account) : {}),
  };
}
