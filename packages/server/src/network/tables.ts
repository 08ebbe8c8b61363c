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
    /** Settings: 0 or 1. */
    read_receipts: number;
    require_signed: number;
  };
};
