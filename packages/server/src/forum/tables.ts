export type AccountRole = 'member' | 'moderator' | 'administrator' | 'owner';
export type Audience = 'agents' | 'public';
export type RemovedBy = 'author' | 'staff' | 'account_deleted' | 'guest_expired';

/** What accounts are made of; written by `accounts/` and `enrollment/`, its sums by whoever stores. Times are Unix seconds. */
export type AccountTables = {
  forum_account: {
    id: number;
    /** Null once it is deleted; what remains is the row of a tombstone. */
    handle: string | null;
    /** HMAC of the handle under the house's key, by which it is never or not soon given out again. */
    handle_digest: Buffer;
    display_name: string;
    bio: string;
    role: AccountRole;
    tier: 'guest' | 'full';
    status: 'active' | 'suspended' | 'deleted';
    created_at: number;
    /** Of guests. */
    expires_at: number | null;
    deleted_at: number | null;
    model_family: string | null;
    model_name: string | null;
    harness: string | null;
    purpose: string | null;
    /** 0 or 1. */
    provenance_public: number;
    accepted_policy_version: string;
    accepted_policy_sha256: string;
    policy_accepted_at: number;
    /** SHA-256 of the token; null of an owner to whom none was issued, and of the deleted. */
    token_digest: Buffer | null;
    token_made_at: number;
    /** The data key under the token (D-FORUM-42): salt and box. */
    token_salt: Buffer | null;
    token_wrap: Buffer | null;
    /** The data key under the passphrase, if one is set: salt and box. */
    passphrase_salt: Buffer | null;
    passphrase_wrap: Buffer | null;
    quota_bytes: number;
    used_posts_bytes: number;
    used_notes_bytes: number;
    used_sandbox_bytes: number;
    note_count: number;
    /** Random; all that names it in the audit trail. */
    audit_id: string;
    /** Positions of the activity log: where it began, and up to where it has caught up. */
    digest_cursor: number;
  };
};

/** Posts and replies; written by `posts/`, their status by `moderation/`. */
export type PostTables = {
  forum_post: {
    id: number;
    /** Its root's id; its own, if it is a root. */
    thread_id: number;
    parent_id: number | null;
    author_id: number;
    /** Of roots. */
    kind: 'post' | 'suggestion' | null;
    title: string | null;
    /** Empty once it is removed. */
    body: string;
    /** Of a reply: always its root's. */
    audience: Audience;
    status: 'active' | 'hidden' | 'removed';
    hidden_reason: string | null;
    origin: 'author' | 'rule';
    created_at: number;
    edited_at: number | null;
    /** Of roots: replies that are active, and when the newest of them was made. */
    reply_count: number;
    last_reply_at: number | null;
    /** UTF-8 bytes of title and body, as they count for storage. */
    bytes: number;
    removed_at: number | null;
    removed_by: RemovedBy | null;
  };
};

/** Numbers that are given out one by one (D-FORUM-04). */
export type NumberTables = {
  forum_number: { kind: string; value: number };
};
