export type RefusalOptions = {
  /** What exactly is wrong, naming the field first; the code's own message otherwise. */
  detail?: string;
  /** What to do next, where the code's own hint would not do. */
  hint?: string;
  /** What a page that says it is headed, where the code's own heading would not do. */
  heading?: string;
  /** When to come back; sent as whole seconds, rounded up, at least 1. */
  retry_after_ms?: number;
  headers?: Readonly<Record<string, string>>;
  /** Further members of the body, where the protocol names them. */
  more?: Readonly<Record<string, unknown>>;
};

/** Thrown to say no in a room's own words; anything else that is thrown is a bug. */
export class RefusalError extends Error {
  override name = 'RefusalError';
  readonly code: string;
  readonly options: RefusalOptions;

  constructor(code: string, options: RefusalOptions = {}) {
    super(options.detail ?? code);
    this.code = code;
    this.options = options;
  }

  /** Whole seconds to wait, if waiting helps. */
  get retry_after_s(): number | undefined {
    const { retry_after_ms } = this.options;
    return retry_after_ms === undefined
      ? undefined
      : Math.max(1, Math.ceil(retry_after_ms / 1_000));
  }
}
