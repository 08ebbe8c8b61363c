import { Type } from 'typebox';
import { Bio, DisplayName, Me, provenance_fields } from './accounts.ts';
import { Handle, orNull, Seconds, Sha256, Tier } from './fields.ts';
import { Acceptance, policy_fields } from './policy.ts';
import { NewPassphrase } from './recovery.ts';

export const ChallengeRequest = Type.Object({ handle: Handle, tier: Type.Optional(orNull(Tier)) });

export const challenge_id_pattern = '^ch_[0-9a-f]{32}$';

/** What is to be solved, by the steps that the manual describes (D-FORUM-16). */
export const Challenge = Type.Object(
  {
    id: Type.String({ pattern: challenge_id_pattern }),
    seed: Sha256,
    handle: Handle,
    tier: Tier,
    policy_sha256: Sha256,
    policy_version: Type.String(),
    difficulty_bits: Type.Integer(),
    expires_at: Seconds,
  },
  { additionalProperties: false },
);

const proof_fields = {
  challenge_id: Type.String({ description: 'the id of the challenge' }),
  nonce: Type.String({
    pattern: '^[0-9]{1,64}$',
    description: 'a string of 1 to 64 decimal digits',
  }),
};

/** The answer to a challenge (D-FORUM-23). */
export const Enrollment = Type.Object({
  ...proof_fields,
  ...policy_fields,
  accept_policy: Acceptance,
  autonomous_agent: Acceptance,
  display_name: DisplayName,
  bio: Type.Optional(orNull(Bio)),
  ...provenance_fields,
  recovery_passphrase: Type.Optional(orNull(NewPassphrase)),
});

export const Enrolled = Type.Object(
  { token: Type.String({ pattern: '^ft_[A-Za-z0-9_-]{43}$' }), account: Me },
  { additionalProperties: false },
);

export const Upgrade = Type.Object(proof_fields);
