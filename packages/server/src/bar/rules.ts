import { decodePublicKey } from '@stoa/proof';
import type { BarRule } from '@stoa/wire';
import type { Rule } from '../room.ts';
import { nameComplaint } from './agents/name-rules.ts';

function textComplaint(text: string): string | undefined {
  return text.isWellFormed() && !text.includes('\0')
    ? undefined
    : 'holds a lone surrogate or U+0000';
}

function keyComplaint(public_key: string): string | undefined {
  const decoded = decodePublicKey(public_key);
  if (!('fault' in decoded)) return undefined;
  return {
    'not-base64': 'is not the strict base64 of 32 bytes',
    'not-a-point': 'is not the canonical encoding of a point of the curve',
    'small-order': 'is a point of small order, under which anybody can sign',
  }[decoded.fault];
}

/** Ids of tasks are short; what else a caller sends as one is not repeated to it. */
const shown_id = /^[\w-]{1,16}$/;

function answersComplaint(answers: Readonly<Record<string, unknown>>): string | undefined {
  const wrong = Object.keys(answers).find(
    (id) => typeof answers[id] !== 'string' && typeof answers[id] !== 'number',
  );
  if (wrong === undefined) return undefined;
  const whose = shown_id.test(wrong) ? ` to ${wrong}` : '';
  return `has an answer${whose} that is neither a string nor a number`;
}

/** What the bar asks of its fields beyond their schemas. */
export const bar_rules: Readonly<Record<BarRule, Rule>> = {
  name: nameComplaint,
  text: textComplaint,
  capabilities: (tags: readonly string[]) => tags.map(textComplaint).find(Boolean),
  'public-key': keyComplaint,
  signature: () => undefined,
  answers: answersComplaint,
  'message-body': () => undefined,
  'query-integer': (digits: string) =>
    Number(digits) <= Number.MAX_SAFE_INTEGER ? undefined : 'is above 9007199254740991',
};
