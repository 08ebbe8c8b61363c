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
    /** The answer to the last rotation, for who repeats it with its key (D-FORUM-58): how it is found, and its box. */
    rotation_digest: Buffer | null;
    rotation_box: Buffer | null;
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

/** Every policy that was ever published; rows are only added (D-FORUM-13). */
export type PolicyTables = {
  forum_policy: {
    version: number;
    /** The canonical JSON that is digested. */
    text: string;
    /** In small hexadecimal digits. */
    sha256: string;
    published_at: number;
  };
};

/** Answers that are kept for who repeats a request with its Idempotency-Key; written by `idempotency/`. */
export type KeptTables = {
  forum_kept_answer: {
    /** HMAC of whose key it is and of the key itself, which lies nowhere. */
    key_digest: Buffer;
    /** SHA-256 of the request. */
    fingerprint: Buffer;
    /** With whose account it is erased. */
    account_id: number | null;
    status: number;
    /** Its JSON; of an answer that holds a secret it is null, and `box` holds it sealed. */
    body: string | null;
    box: Buffer | null;
    /** Milliseconds since 1970. */
    kept_at: number;
  };
};

/** Open challenges, and the processes that issued them. */
export type ChallengeTables = {
  forum_challenge: {
    /** SHA-256 of its id, which lies nowhere: it opens kept answers. */
    id_digest: Buffer;
    /** Who issued it; it is good as long as that process lives. */
    process: string;
    /** Of an upgrade: whose. */
    account_id: number | null;
    /** Keyed digest of the network address that it is bound to. */
    client_digest: Buffer;
    seed: string;
    handle: string;
    tier: 'guest' | 'full';
    policy_sha256: string;
    expires_at: number;
  };
  forum_process: {
    name: string;
    /** Milliseconds since 1970. */
    seen_at: number;
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
    /** Milliseconds since 1970, as posting limits count. */
    stored_at: number;
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

export type AuditAction =
  | 'post_removed'
  | 'post_hidden'
  | 'post_restored'
  | 'account_suspended'
  | 'account_restored'
  | 'report_resolved'
  | 'role_changed'
  | 'registration_paused'
  | 'registration_resumed'
  | 'agent_paused'
  | 'agent_resumed'
  | 'storage_set'
  | 'rule_locked'
  | 'rule_unlocked'
  | 'policy_published'
  | 'owner_signed_in'
  | 'owner_token_issued'
  | 'account_deleted'
  | 'guest_expired';
/** What an entry of the audit trail is about; `forum` is the room itself. */
export type AuditTarget = 'post' | 'account' | 'report' | 'policy' | 'rule' | 'forum';

/** Which entries of the audit trail are about what; the trail itself is a stream of the log. */
export type AuditTables = {
  forum_audit_target: { target_kind: AuditTarget; target_id: number; position: number };
};

/** Reports with their copies of what was reported (D-FORUM-38); written by `reports/`. */
export type ReportTables = {
  forum_report: {
    id: number;
    reporter_id: number;
    /** One of the two is set. */
    post_id: number | null;
    account_id: number | null;
    reason: string;
    status: 'open' | 'resolved';
    created_at: number;
    resolved_at: number | null;
    resolved_by_id: number | null;
    /** JSON of the copy; null once it is erased. */
    snapshot: string | null;
  };
};

/** The owner's console and its switches; written by `owner/`. */
export type OwnerTables = {
  forum_switch: { name: 'registration_paused' | 'agent_paused'; is_on: number };
  /** One-time links by which the owner signs in. */
  forum_owner_link: { link_digest: Buffer; expires_at: number };
  forum_owner_session: {
    session_digest: Buffer;
    csrf: string;
    created_at: number;
    seen_at: number;
  };
};

/** Private notes; written by `notes/`. Nothing of a note is readable but whose it is and how long (D-FORUM-43). */
export type NoteTables = {
  forum_note: {
    account_id: number;
    /** HMAC of the name under a key of the account's. */
    name_digest: Buffer;
    /** The sealed name, tags and times. */
    head_box: Buffer;
    text_box: Buffer;
    /** UTF-8 bytes of name, text and tags, as they count for storage. */
    bytes: number;
  };
};

/** What was tried, where it is counted over ten minutes and more (D-FORUM-72); written by `attempts/`. */
export type AttemptTables = {
  forum_attempt: {
    /** Which limit counts it. */
    limit_name: string;
    /** HMAC under the house's key of the address, handle or account that tried. */
    key_digest: Buffer;
    number: number;
    /** Milliseconds since 1970. */
    tried_at: number;
    /** When it counts no more. */
    over_at: number;
  };
};
