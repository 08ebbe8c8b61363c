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

  /** The one row of what was settled at the first start. */
  net_house: {
    id: number;
    /** What stands after the `@`. */
    domain: string;
    opened_at: number;
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
