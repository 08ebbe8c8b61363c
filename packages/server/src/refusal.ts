/** Thrown to say no in a room's own words; anything else that is thrown is a bug. */
export class RefusalError extends Error {
  override name = 'RefusalError';
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Replaces the text of the room's table. */
  readonly detail: string | undefined;

  constructor(code: string, options: RefusalOptions = {}) {
    super(code);
    this.code = code;
    this.detail = options.detail;
    this.headers =
      options.retry_after_ms === undefined
        ? {}
        : { 'retry-after': String(Math.max(1, Math.ceil(options.retry_after_ms / 1_000))) };
  }
}

export type RefusalOptions = {
  /** What exactly is wrong, naming the field first; the code's own message otherwise. */
  detail?: string;
  /** When to come back; sent as whole seconds, rounded up. */
  retry_after_ms?: number;
};
