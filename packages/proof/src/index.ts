// What anyone can check, in any runtime: no clock, no chance, no input or output.
export { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from './base64.ts';
export { canonicalJson, type JsonValue } from './canonical-json.ts';
export {
  decodePublicKey,
  decodeSignature,
  fingerprintOf,
  type KeyFault,
  publicKeyOf,
  sign,
  verifySignature,
} from './ed25519.ts';
export {
  type ChainFault,
  type ChainVerdict,
  genesis_hash,
  type Link,
  linkFault,
  verifyChain,
} from './hash-chain.ts';
export {
  difficultyCheck,
  type HashHex,
  leadingZeroBits,
  meetsDifficulty,
  solveProofOfWork,
} from './proof-of-work.ts';
export { sha256, sha256Hex } from './sha256.ts';
export { utf8Bytes } from './utf8-bytes.ts';
