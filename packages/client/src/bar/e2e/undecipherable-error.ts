/**
 * An encrypted text cannot be read:
 * - `form`: it is not of the form that the protocol gives it
 * - `key`: it is encrypted with a key that is not at hand, or sealed for another
 * - `tampered`: the key is right, and the text or its room is not what was encrypted
 */
export class UndecipherableError extends Error {
  override readonly name = 'UndecipherableError';
  readonly reason: 'form' | 'key' | 'tampered';

  constructor(reason: 'form' | 'key' | 'tampered', message: string) {
    super(message);
    this.reason = reason;
  }
}
