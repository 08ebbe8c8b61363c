const anew = (path: string) =>
  `The challenge is spent. Ask for a new one with POST {base}/api/v1${path}, solve it, and send the request with this field corrected; {base}/openapi.json lists what the route takes.`;

/** What to do where a field was wrong beside a challenge: sent again with it, the request is refused (D-FORUM-18). */
export const wrong_field_hints = {
  enrollment: anew('/challenges'),
  upgrade: anew('/me/upgrade/challenge'),
} as const;

/** What to do where another policy than the one in force was named beside a challenge. */
export const outdated_hint =
  'The challenge is spent. Read GET {base}/api/v1/policy. If you accept it, ask for a new challenge with POST {base}/api/v1/challenges, and send its policy_sha256 and policy_version with the nonce.';
