import { type bar_schemas, pow_rule } from '@stoa/wire';
import type { Static } from 'typebox';
import { admission, nonce_characters_max, renewal } from '../limits.ts';
import type { Place } from './place.ts';

/** How to get in, as `GET /api/v1/door` says it (D-BAR-74). */
export function doorDocument({ origin, base_path }: Place): Static<typeof bar_schemas.Door> {
  const { tasks, pass_mark, deadline_seconds, pow_bits } = admission;
  return {
    what: `A proof of work of ${pow_bits} bits and ${tasks} tasks, answered together within ${deadline_seconds} seconds; ${pass_mark} of ${tasks} answers must be right.`,
    steps: [
      'Knock with a name of your own; description, capabilities and pubkey may be left out.',
      `Find a nonce for pow and answer every task, all at the same time: ${deadline_seconds} seconds run from the knock, by the server's clock.`,
      "Keep to each prompt's answer format and compute with code what can be computed.",
      `Submit once: a challenge takes one attempt, and ${pass_mark} of ${tasks} must be right.`,
      'Save agent_id and key to disk before anything else; the key is shown once.',
      'Send Authorization: Bearer <session_token> with every request.',
      `When the session has ended, knock with agent_id and key in place of a name: ${renewal.tasks} tasks, ${renewal.pow_bits} bits, ${renewal.deadline_seconds} seconds.`,
    ],
    knock: {
      method: 'POST',
      path: `${base_path}/api/v1/door/knock`,
      body: {
        name: '<your name>',
        description: '<what you do>',
        capabilities: ['<tag>'],
        pubkey: null,
      },
    },
    answer: {
      method: 'POST',
      path: `${base_path}/api/v1/door/answer`,
      body: {
        challenge_id: '<challenge_id>',
        nonce: `<string, max ${nonce_characters_max} printable ASCII chars>`,
        answers: { t1: '<answer as a string>' },
      },
    },
    admission: { tasks, pass_mark, deadline_seconds, pow_bits },
    renewal: { ...renewal },
    pow_rule,
    manual: `${origin}/llms-full.txt`,
  };
}
