// The bar: how messages are chained and signed, and how what a server says of them is checked.
export { hashHolds } from './hash-holds.ts';
export type { Message } from './message.ts';
export { messageFault } from './message-fault.ts';
export { canonical_format, linkText, type MessageLink, messageHash } from './message-hash.ts';
export { signedText } from './signed-text.ts';
