import type { Random } from '../../random.ts';

const passcode_bytes = 32;

/** A new passcode: shown once, its digest stored. */
export function mintPasscode(random: Random): string {
  return `nip_${random.bytes(passcode_bytes).toString('base64url')}`;
}
