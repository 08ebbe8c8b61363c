// The guestbook: what is signed, what is hashed, what may be said, and how a record is verified.
export { dateComplaint } from './date-complaint.ts';
export { entryHash, entryPreimage } from './entry-hash.ts';
export { example_key } from './example-key.ts';
export { messageComplaint } from './message-complaint.ts';
export { nameComplaint } from './name-complaint.ts';
export { parseEntry, parseHead } from './parse-record.ts';
export type { Entry, HashedEntry, Head, HiddenEntry, VisibleEntry } from './record.ts';
export { postPayload, registrationPayload } from './signed-payload.ts';
export {
  entryFault,
  type Place,
  type RecordCheck,
  type RecordFault,
  type RecordVerdict,
  type RecordVerifier,
  recordVerifier,
  verifyRecord,
} from './verify-record.ts';
