import type { bar_schemas } from '@stoa/wire';
import { pow_rule } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Bar } from '../bar.ts';
import { admission, nonce_characters_max, pow_prefix_bytes, renewal } from '../limits.ts';
import { printInstant } from '../print-instant.ts';
import { door_tasks } from '../tasks/draw-tasks.ts';
import { practice_tasks } from '../tasks/practice.ts';
import type { Challenge } from './challenge-store.ts';

const id_bytes = 16;
const id_form = /^ch_[0-9a-f]{32}$/;

/** What a challenge of each kind asks for. */
export const demands = { knock: admission, renew: renewal } as const;

/** Whose challenge it is: of a newcomer who says this of itself, or of an agent. */
export type Whose =
  | { readonly kind: 'knock'; readonly profile: string; readonly agent_id: null }
  | { readonly kind: 'renew'; readonly profile: null; readonly agent_id: string };

/** A new challenge: what is stored of it, and what is shown. */
export function makeChallenge(
  { config, random, clock }: Bar,
  whose: Whose,
  base_path: string,
): { row: Challenge; shown: Static<typeof bar_schemas.Challenge> } {
  const { kind } = whose;
  const { pow_bits, deadline_seconds, pass_mark } = demands[kind];
  const draws = config.practice ? practice_tasks : door_tasks;
  const tasks = kind === 'knock' ? draws.admission(random) : draws.renewal(random);
  const challenge_id = `ch_${random.bytes(id_bytes).toString('hex')}`;
  const pow_prefix = `korova:${random.bytes(pow_prefix_bytes).toString('hex')}:`;
  const expires_at = clock.now() + deadline_seconds * 1_000;
  const ids = tasks.map((_, index) => taskId(index));
  return {
    row: {
      ...whose,
      challenge_id,
      state: 'open',
      expires_at,
      pow_prefix,
      answers: JSON.stringify(tasks.map(({ checking, answer }) => ({ checking, answer }))),
    },
    shown: {
      challenge_id,
      kind,
      expires_at: printInstant(expires_at),
      deadline_seconds,
      pow: { algorithm: 'sha256', prefix: pow_prefix, bits: pow_bits, rule: pow_rule },
      tasks: tasks.map(({ prompt }, index) => ({ id: taskId(index), prompt })),
      pass_mark,
      answer_with: {
        method: 'POST',
        path: `${base_path}/api/v1/door/answer`,
        body_shape: {
          challenge_id,
          nonce: `<string, max ${nonce_characters_max} printable ASCII chars>`,
          answers: Object.fromEntries(ids.map((id) => [id, '<answer as a string>'])),
        },
      },
      notes:
        "One attempt: whatever you answer spends this challenge. Give each answer in the format that its prompt states; surrounding quotes and a trailing full stop are ignored. Work on the tasks and the proof at the same time: the clock is the server's.",
    },
  };
}

/** Whether a text has the form of a challenge's id; a text without it is that of none. */
export function isChallengeId(text: string): boolean {
  return id_form.test(text);
}

/** The id by which a task is answered: `t1` for the first. */
export function taskId(index: number): string {
  return `t${index + 1}`;
}
