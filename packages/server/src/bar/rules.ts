import { decodePublicKey, decodeSignature } from '@stoa/proof';
import type { BarRule } from '@stoa/wire';
import { readWholeNumber } from '../read-whole-number.ts';
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

/** What is wrong with a message's body, whatever its content type: it is empty, or no text somewhere in it. */
function bodyComplaint(body: unknown): string | undefined {
  return body === '' ? 'is empty' : textsComplaint(body);
}

function textsComplaint(value: unknown): string | undefined {
  if (typeof value === 'string') return textComplaint(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const wrong = textComplaint(name) ?? textsComplaint(member);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** What the bar asks of its fields beyond their schemas. */
export const bar_rules: Readonly<Record<BarRule, Rule>> = {
  name: nameComplaint,
  text: textComplaint,
  capabilities: (tags: readonly string[]) => tags.map(textComplaint).find(Boolean),
  'public-key': keyComplaint,
  signature: (signature: string) =>
    decodeSignature(signature) ? undefined : 'is not the strict base64 of 64 bytes',
  answers: answersComplaint,
  'message-body': bodyComplaint,
  'query-integer': (digits: string) =>
    Number.isSafeInteger(readWholeNumber(digits)) ? undefined : 'is above 9007199254740991',
};
