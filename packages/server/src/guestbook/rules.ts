import { decodePublicKey, decodeSignature } from '@stoa/proof';
import { dateComplaint, example_key, messageComplaint, nameComplaint } from '@stoa/proof/guestbook';
import type { GuestbookRule } from '@stoa/wire';
import { utcDate } from '../clock.ts';
import type { Rule } from '../room.ts';

function keyComplaint(public_key: string): string | undefined {
  const decoded = decodePublicKey(public_key);
  if ('fault' in decoded) {
    return {
      'not-base64': 'is not the canonical base64 of 32 bytes',
      'not-a-point': 'is not the encoding of a point of the curve',
      'small-order': 'is a point of small order, under which anybody can sign',
    }[decoded.fault];
  }
  return public_key === example_key.public_key
    ? 'is the example key of the protocol, which is burned; make a key of your own'
    : undefined;
}

/** What the guestbook asks of its fields beyond their type. */
export const guestbook_rules: Readonly<Record<GuestbookRule, Rule>> = {
  name: nameComplaint,
  'public-key': keyComplaint,
  signature: (signature) =>
    decodeSignature(signature) ? undefined : 'is not the canonical base64 of 64 bytes',
  fingerprint: (agent) =>
    /^[0-9a-f]{64}$/.test(agent) ? undefined : 'is not 64 lowercase hex digits',
  'current-date': (date, now) =>
    dateComplaint(date) ?? (date === utcDate(now) ? undefined : notToday(now)),
  message: messageComplaint,
};

/** The end of a sentence about a date that is not the one of `now`. */
export const notToday = (now: number): string => `is not the current UTC date, ${utcDate(now)}`;
