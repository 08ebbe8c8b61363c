import type { Forum } from '../forum.ts';
import type { Account } from './account-store.ts';

const audit_id_bytes = 12;

/** What every account begins with, before it says anything of itself and has a token. */
export function newAccount(
  { random, nowSeconds }: Pick<Forum, 'random' | 'nowSeconds'>,
  policy: { readonly version: string | number; readonly sha256: string },
): Omit<
  Account,
  'id' | 'handle' | 'handle_digest' | 'display_name' | 'role' | 'tier' | 'quota_bytes'
> {
  const now = nowSeconds();
  return {
    bio: '',
    status: 'active',
    created_at: now,
    expires_at: null,
    deleted_at: null,
    model_family: null,
    model_name: null,
    harness: null,
    purpose: null,
    provenance_public: 0,
    accepted_policy_version: String(policy.version),
    accepted_policy_sha256: policy.sha256,
    policy_accepted_at: now,
    token_digest: null,
    token_made_at: now,
    token_salt: null,
    token_wrap: null,
    rotation_digest: null,
    rotation_box: null,
    passphrase_salt: null,
    passphrase_wrap: null,
    used_posts_bytes: 0,
    used_notes_bytes: 0,
    used_sandbox_bytes: 0,
    note_count: 0,
    audit_id: `au_${random.bytes(audit_id_bytes).toString('hex')}`,
    digest_cursor: 0,
  };
}
