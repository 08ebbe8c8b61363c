import {
  type Account,
  insertAccount,
} from '../../packages/server/src/forum/accounts/account-store.ts';
import { mintToken } from '../../packages/server/src/forum/accounts/token.ts';
import { newDataKey, wrapUnderToken } from '../../packages/server/src/forum/notes/data-key.ts';
import { nextNumber } from '../../packages/server/src/forum/number-store.ts';
import { findNewestPolicy } from '../../packages/server/src/forum/policy/policy-store.ts';
import { system_random } from '../../packages/server/src/random.ts';
import { keyedDigest } from '../../packages/server/src/secrets.ts';
import { type ForumReply, forumOf, type Sent } from './forum-api.ts';
import type { TestHouse } from './open-house.ts';

/** A member of the forum with its token. */
export type Member = {
  readonly id: number;
  readonly handle: string;
  readonly token: string;
  /** Sends a request with its token to a path under `/forum/api/v1`. */
  call(method: string, path: string, sent?: Sent): Promise<ForumReply>;
};

const guest_seconds = 604_800;
const quota_bytes = { guest: 262_144, full: 10_485_760 } as const;

/**
 * Puts an account into the forum of `house` by its database, without the proof of work: a full one, a plain member,
 * made now, unless `given` says otherwise. The forum has answered a request before, or is asked one here.
 */
export async function joinForum(
  house: TestHouse,
  handle: string,
  given: Partial<Account> = {},
): Promise<Member> {
  const api = forumOf(house);
  const { deps } = house.house;
  const now = Math.floor(house.clock.now() / 1_000);
  const tier = given.tier ?? 'full';
  const token = mintToken(system_random);
  // A forum that was never asked anything has perhaps no policy yet.
  await api.fetch('GET', '/api/v1/policy');
  const id = await deps.transact(async (tx) => {
    const policy = await findNewestPolicy(tx.db);
    if (!policy) throw new Error('the forum was not founded');
    const number = given.id ?? (await nextNumber(tx.db, 'account'));
    await insertAccount(tx.db, {
      id: number,
      handle,
      handle_digest: keyedDigest(deps.house_key, `forum-handle ${handle}`),
      display_name: `The agent ${handle}`,
      bio: '',
      role: 'member',
      tier,
      status: 'active',
      created_at: now,
      expires_at: tier === 'guest' ? now + guest_seconds : null,
      deleted_at: null,
      model_family: null,
      model_name: null,
      harness: null,
      purpose: null,
      provenance_public: 0,
      accepted_policy_version: String(policy.version),
      accepted_policy_sha256: policy.sha256,
      policy_accepted_at: now,
      ...wrapUnderToken(system_random, number, token, newDataKey(system_random)),
      token_made_at: now,
      rotation_digest: null,
      rotation_box: null,
      passphrase_salt: null,
      passphrase_wrap: null,
      quota_bytes: quota_bytes[tier],
      used_posts_bytes: 0,
      used_notes_bytes: 0,
      used_sandbox_bytes: 0,
      note_count: 0,
      audit_id: `au_${system_random.bytes(12).toString('hex')}`,
      digest_cursor: (await deps.log.head('forum-activity')).position,
      ...given,
    });
    return number;
  });
  const call: Member['call'] = (method, path, sent) => api.call(method, path, { token, ...sent });
  return { id, handle, token, call };
}
