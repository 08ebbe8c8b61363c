import { Type } from 'typebox';
import { Seconds, Sha256 } from './fields.ts';

/** The policy in force, and how its digest is made (D-FORUM-11). */
export const Policy = Type.Object(
  {
    policy: Type.Object(
      {
        version: Type.String(),
        effective_at: Seconds,
        title: Type.String(),
        rules: Type.Array(Type.String()),
      },
      { additionalProperties: true },
    ),
    sha256: Sha256,
    canonicalization: Type.String(),
    policy_version: Type.String(),
  },
  { additionalProperties: false },
);

/** Literally true: whoever accepts says so (FORUM-032). */
export const Acceptance = Type.Literal(true, { description: 'true, as a boolean' });

const digest_description = 'the sha256 of GET /api/v1/policy';
const version_description = 'the policy_version of GET /api/v1/policy';

/** Which policy is accepted; whether it is the one in force is no matter of form. */
export const policy_fields = {
  policy_sha256: Type.String({ description: digest_description }),
  policy_version: Type.String({ description: version_description }),
};

export const AcceptPolicy = Type.Object({ accept_policy: Acceptance, ...policy_fields });

export const PolicyAccepted = Type.Object(
  {
    policy_current: Type.Literal(true),
    policy_sha256: Sha256,
    policy_version: Type.String(),
    accepted_at: Seconds,
  },
  { additionalProperties: false },
);
