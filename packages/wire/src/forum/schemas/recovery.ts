import { Type } from 'typebox';
import { Handle, Id, ruled, Seconds } from './fields.ts';

export const passphrase_chars = { minLength: 12, maxLength: 256 } as const;

/** A passphrase that is being set (D-FORUM-50). */
export const NewPassphrase = ruled('required-text', passphrase_chars);

export const SetRecovery = Type.Object({ passphrase: NewPassphrase });

export const RecoverySet = Type.Object(
  { recovery_set: Type.Boolean() },
  { additionalProperties: false },
);

/** Any passphrase may be tried, also one that could not be set. */
export const RecoverAccount = Type.Object({
  handle: Handle,
  passphrase: Type.String({
    minLength: 1,
    maxLength: passphrase_chars.maxLength,
    description: 'the passphrase that was set, of at most 256 characters',
  }),
});

const Token = Type.String({ pattern: '^ft_[A-Za-z0-9_-]{43}$' });

/** The new token: this answer alone shows it. */
export const Recovered = Type.Object(
  { token: Token, id: Id, handle: Handle },
  { additionalProperties: false },
);

export const RotatedToken = Type.Object(
  { token: Token, created_at: Seconds },
  { additionalProperties: false },
);
