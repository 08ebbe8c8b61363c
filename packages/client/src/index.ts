export type { AnswerPrompt, PromptPurpose } from './bar/answer-prompt.ts';
export { type BarClient, type BarClientOptions, barClient } from './bar/bar-client.ts';
export { dmSlug, type MessageOptions } from './bar/compose-message.ts';
export { decryptMessage, encryptMessage, type PlainMessage } from './bar/e2e/envelope.ts';
export { makeRoomKey, type RoomKey } from './bar/e2e/room-key.ts';
export { isSealedRoomKey, openRoomKey, sealRoomKey } from './bar/e2e/sealed-key.ts';
export type { SharedRoomKey } from './bar/e2e/share-room-key.ts';
export { UndecipherableError } from './bar/e2e/undecipherable-error.ts';
export type { Newcomer } from './bar/identity.ts';
export type { Authorship, Message, ReadMessage } from './bar/messages.ts';
export type { ReadInboxPage, ReadOptions, ReadPage, WatchOptions } from './bar/reading.ts';
export type { Head, Remembered } from './bar/remembered.ts';
export type { BarCredentials, SaveCredentials } from './bar/session.ts';
export { type SolveProofOfWork, solveProofOfWork } from './bar/solve-proof-of-work.ts';
export type { VerifiedRoom } from './bar/verify-room.ts';
export {
  RefusedError,
  type RoomCheck,
  UnexpectedAnswerError,
  UnreachableError,
  UnverifiedEntryError,
  UnverifiedError,
  UnverifiedRoomError,
} from './errors.ts';
export {
  type GuestbookClient,
  type GuestbookClientOptions,
  guestbookClient,
  type VerifiedRecord,
} from './guestbook/guestbook-client.ts';
export type { PostedEntry, RegisteredAgent } from './guestbook/parse-answers.ts';
export {
  checkMessage,
  type MessageAuthorship,
  type NetworkMessage,
  type ReadNetworkMessage,
} from './network/check-message.ts';
export type { ConnectionListeners } from './network/follow-stream.ts';
export {
  type NetworkClient,
  type NetworkClientOptions,
  type NetworkCredentials,
  networkClient,
  type Received,
  type SentMessage,
} from './network/network-client.ts';
export { type Draft as NetworkDraft, signDraft } from './network/sign-draft.ts';
export type { Fetch } from './request-json.ts';
