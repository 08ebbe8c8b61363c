export { decodeCardKey, decodeCardSignature } from './card-key.ts';
export { messageText, type SignedFields } from './message-text.ts';
export { type SigilClaim, sigilKeyText, sigilSessionText } from './sigil-text.ts';
