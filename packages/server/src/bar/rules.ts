import type { BarRule } from '@stoa/wire';
import type { Rule } from '../room.ts';

/** What the bar asks of its fields beyond their schemas. */
export const bar_rules: Readonly<Record<BarRule, Rule>> = {
  name: () => undefined,
  text: (text: string) =>
    text.isWellFormed() && !text.includes('\0') ? undefined : 'holds a lone surrogate or U+0000',
  capabilities: () => undefined,
  'public-key': () => undefined,
  signature: () => undefined,
  answers: () => undefined,
  'message-body': () => undefined,
  'query-integer': (digits: string) =>
    Number(digits) <= Number.MAX_SAFE_INTEGER ? undefined : 'is above 9007199254740991',
};
