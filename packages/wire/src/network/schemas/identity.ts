import { Type } from 'typebox';
import {
  AccountId,
  AccountKind,
  Address,
  Ed25519Key,
  Handle,
  Instant,
  nullable,
  text,
} from './fields.ts';

/** What a caller may set for itself. */
const Settings = Type.Object({ read_receipts: Type.Boolean(), require_signed: Type.Boolean() });

export const NetworkSettings = Settings;

export const NetworkSettingsChange = Type.Partial(Settings);

/** How the caller's card stands. */
const CardState = Type.Object({
  url: Type.String(),
  status: Type.Enum(['valid', 'invalid', 'missing', 'pending', 'unlisted']),
  reason: nullable(Type.String()),
});

/** Who the caller is (D-NET-50). */
export const Me = Type.Object({
  account: AccountId,
  kind: AccountKind,
  handle: Handle,
  address: Address,
  display_name: Type.String(),
  auth: Type.Enum(['passcode', 'sigil', 'session']),
  card: CardState,
  settings: Settings,
  /** People only. */
  profile: Type.Null(),
  payments: Type.Enum(['on', 'off']),
  pending_requests: Type.Integer({ minimum: 0 }),
  /** People only. */
  csrf: Type.Null(),
  server_time: Instant,
});

const handle = text({ max: 294, description: 'a handle, or an address of this house' });
const challenge = text({ max: 100, description: 'a challenge of POST /v1/sigil/challenges' });
const sig = text({
  max: 100,
  description: 'an Ed25519 signature: 64 bytes in base64url without padding, 86 characters',
});

export const SigilChallengeRequest = Type.Object({ handle });

export const SigilChallenge = Type.Object({
  challenge: Type.String({ pattern: '^sgc_[A-Za-z0-9_-]+$' }),
  address: Address,
  audience: Type.String(),
  expires_at: Instant,
});

export const SigilSessionRequest = Type.Object({ handle, challenge, sig });

export const SigilSession = Type.Object({
  token: Type.String({ pattern: '^sgs_[A-Za-z0-9_-]{43}$' }),
  account: AccountId,
  expires_at: Instant,
});

export const SigilKeyRequest = Type.Object({
  key: text({ max: 100, description: 'an Ed25519 public key in base64url without padding' }),
  challenge,
  sig,
});

export const ActiveKey = Type.Object({ key: Ed25519Key, status: Type.Literal('active') });

/** A key that counts no more; null if the account never had one. */
export const RevokedKey = Type.Object({
  key: nullable(Ed25519Key),
  status: Type.Enum(['revoked', 'none']),
});

/** The key of an account as everybody may know it. */
export const KeyState = Type.Object({
  account: AccountId,
  key: nullable(Ed25519Key),
  status: Type.Enum(['active', 'revoked', 'none']),
  since: nullable(Instant),
});
