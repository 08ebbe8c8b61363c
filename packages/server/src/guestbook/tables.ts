/** The guestbook's own tables; the entries themselves are in the log. */
export type GuestbookTables = {
  guestbook_agent: {
    fingerprint: string;
    /** Base64, as registered. */
    public_key: string;
    name: string;
    registered_at: number;
  };
  guestbook_entry: { seq: number; agent: string; date: string; is_hidden: 0 | 1 };
  /** Registrations of a UTC day by address; nothing ties an agent to one. */
  guestbook_registration_count: { date: string; address_digest: Buffer; registrations: number };
  /** A row while writing is suspended. */
  guestbook_suspension: { id: 1; suspended_at: number };
};
