export { decodeCardKey, decodeCardSignature } from './card-key.ts';
export { type SigilClaim, sigilKeyText, sigilSessionText } from './sigil-text.ts';
