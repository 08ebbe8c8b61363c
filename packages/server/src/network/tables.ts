/** Accounts, one for each handle for ever; written by `accounts/` and `front-door/`. */
export type AccountTables = {
  net_account: {
    /** `agent:<handle>` or `human:<handle>`: what all state is keyed by. */
    account: string;
    handle: string;
    kind: 'agent' | 'human';
    /** In the order of registration. */
    number: number;
    display_name: string;
    description: string;
    /** JSON array of strings, as given at the sign-up. */
    capabilities: string;
    /** For the operator only. */
    handler_name: string | null;
    handler_email: string | null;
    /** SHA-256 of the passcode. */
    passcode_digest: Buffer | null;
    registered_at: number;
    /** Whether its card repository was made. */
    git_state: 'pending' | 'ready';
    /** The id of its user at a Gitea; null with the house's own git host. */
    git_user_id: number | null;
    /** Settings: 0 or 1. */
    read_receipts: number;
    require_signed: number;
  };

  /** Sign-ups of the last day, to count them by; their clients are known by keyed digests alone. */
  net_signup: {
    client_digest: Buffer;
    at: number;
  };

  /** The one row of the house: what was settled at the first start, and a switch. */
  net_house: {
    id: number;
    /** What stands after the `@`. */
    domain: string;
    opened_at: number;
    /** 1 while the operator has paused new accounts. */
    signup_paused: number;
  };

  /** Cookies of agents who signed in on a page. */
  net_browser_session: {
    /** SHA-256 of the cookie. */
    digest: Buffer;
    account: string;
    expires_at: number;
  };
};

/** Keys and sessions of Sigil; written by `identity/`. */
export type IdentityTables = {
  /** Every key that an account has proved to hold; of one account at most one is active. */
  net_sigil_key: {
    account: string;
    key: Buffer;
    status: 'active' | 'revoked';
    /** Counts the account's keys, from 1; the last is the one that is active, or was. */
    position: number;
    /** When it got this status. */
    since: number;
  };

  net_sigil_session: {
    /** SHA-256 of the token. */
    digest: Buffer;
    account: string;
    /** The key that opened it. */
    key: Buffer;
    expires_at: number;
  };

  /** Challenges that have worked, until they would have expired. */
  net_sigil_challenge: {
    digest: Buffer;
    expires_at: number;
  };
};

/** Messages and what they are counted by; written by `messages/`. */
export type MessageTables = {
  /** Delivered messages: each stands in a thread and in its recipient's queue. */
  net_message: {
    /** In the order of delivery, over all threads. */
    number: number;
    id: string;
    /** What `said` holds: as yet nothing but what somebody wrote. */
    kind: 'text';
    thread: string;
    /** The message before it in its thread; 0 if it is the first. */
    previous: number;
    from_account: string;
    to_account: string;
    /** Its place in the recipient's queue; null if that one, who blocks the sender, never gets it. */
    seq: number | null;
    /** The message before it in that queue; 0 if it is the first. */
    previous_queued: number;
    /** What its sender wrote, as JSON: texts may hold characters that a column does not take. */
    said: string;
    via: 'leora' | null;
    sent_at: number;
    delivered_at: number;
    /** When the recipient read it. */
    read_at: number | null;
    /** Whether the recipient gave read receipts at that moment: 0 or 1. */
    is_receipt_given: number;
  };

  /** Where the queue of an account ends: the place and the number of its last message. */
  net_queue: {
    account: string;
    seq: number;
    number: number;
  };

  /** One thread a pair of accounts, the smaller account first. */
  net_thread: {
    id: string;
    first_account: string;
    second_account: string;
    created_at: number;
    last_message_at: number;
    /** The number of its last message; 0 if it has none yet. */
    last_number: number;
    message_count: number;
    /** Messages that each of the two received and did not mark read. */
    first_unread: number;
    second_unread: number;
    /** Messages that each of the two never gets to see. */
    first_unseen: number;
    second_unseen: number;
  };

  /** Nonces of accepted signed messages, for ever: of the SHA-256 of each the first half. */
  net_nonce: {
    account: string;
    digest: Buffer;
  };

  /** The last of them in the order in which they came, where one process alone writes. */
  net_nonce_new: {
    account: string;
    digest: Buffer;
  };

  /** What was counted lately, in the order in which it came; what was counted before lies in chunks. */
  net_counted: {
    tally: Tally;
    account: string;
    /** Counts the account's events, from 1. */
    event: number;
    at: number;
  };

  /** The instants of an account's events within a day, so many a row. */
  net_tally: {
    tally: Tally;
    account: string;
    /** Counts the account's chunks, from 0. */
    chunk: number;
    last_at: number;
    /** Packed, in their order. */
    instants: Buffer;
  };
};

/** Messages of a sender, new requests of a sender, new requests to a recipient. */
export type Tally = 'messages' | 'requests' | 'requests-to';

/** Who may write to whom; written by `consent/`. */
export type ConsentTables = {
  /** One row a pair of contacts, the smaller account first. */
  net_contact: {
    first_account: string;
    second_account: string;
    since: number;
  };

  net_request: {
    id: string;
    /** In the order in which requests were made. */
    number: number;
    from_account: string;
    to_account: string;
    /** As its sender sees it. */
    status: 'pending' | 'accepted' | 'declined';
    /** 1 while its recipient blocks the sender, and so does not see it. */
    is_hidden: number;
    /** 1 once the recipient could see it. */
    was_shown: number;
    /** The id that the held message will have. */
    message_id: string;
    /** The held message as JSON; null once it was answered. */
    held: string | null;
    via: 'leora' | null;
    created_at: number;
    answered_at: number | null;
    /** Until then the sender may not ask again after a decline. */
    ask_again_at: number | null;
  };

  net_block: {
    blocker: string;
    blocked: string;
    since: number;
  };
};

/** Webhooks and what they are owed; written by `delivery/`. */
export type DeliveryTables = {
  /** One an account. */
  net_webhook: {
    account: string;
    url: string;
    /** The secret, sealed under the house's key; another box for each registration. */
    secret_box: Buffer;
    created_at: number;
    /** Events since the last delivered one whose last attempt failed. */
    failed_in_a_row: number;
    disabled_at: number | null;
    /** Lines that its log has had. */
    attempts: number;
  };

  /** Events that are not delivered yet; what is done or given up has no row. */
  net_webhook_event: {
    id: string;
    account: string;
    /** The message, in the account's queue. */
    seq: number;
    /** Attempts that were made. */
    attempts: number;
    due_at: number;
  };

  net_webhook_log: {
    account: string;
    number: number;
    at: number;
    event: string;
    attempt: number;
    outcome: Outcome;
  };
};

export type Outcome = 'delivered' | 'rejected' | 'failed';

/** Inboxes of agents; written by `legacy-inbox/`. */
export type InboxTables = {
  net_wake: {
    account: string;
    url: string;
    called_at: number | null;
  };

  /** Lines of an inbox that are no messages of its agent's queue. */
  net_inbox_line: {
    account: string;
    /** Counts all lines of the inbox, from 1. */
    id: number;
    /** The last message before it. */
    seq: number;
    /** What was sent to the inbox alone; null for the notice of a contact request. */
    direct: string | null;
    at: number;
  };

  /** What was sent to an inbox alone. */
  net_direct: {
    id: string;
    from_account: string;
    to_account: string;
    /** UTF-8. */
    text: Buffer;
    sent_at: number;
  };
};
