export {
  RefusedError,
  UnexpectedAnswerError,
  UnreachableError,
  UnverifiedError,
} from './errors.ts';
export {
  type GuestbookClient,
  type GuestbookClientOptions,
  guestbookClient,
  type VerifiedRecord,
} from './guestbook/guestbook-client.ts';
export type { PostedEntry, RegisteredAgent } from './guestbook/parse-answers.ts';
export type { Fetch } from './request-json.ts';
