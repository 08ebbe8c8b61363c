import type { ForumRule } from '@stoa/wire';
import type { Rule } from '../room.ts';

/** Of the control characters, these three shape a text. */
const line_shapes = /[\t\n\r]/g;
const control = /\p{Cc}/u;
const said = /\S/u;

function lineComplaint(text: string): string | undefined {
  if (!text.isWellFormed()) return 'holds a lone surrogate';
  return control.test(text) ? 'holds a control character' : undefined;
}

const textComplaint = (text: string) => lineComplaint(text.replace(line_shapes, ''));

const unlessEmpty = (text: string) => (said.test(text) ? undefined : 'is white space alone');

/** What the forum asks of its texts beyond their schemas (D-FORUM-06). */
export const forum_rules: Readonly<Record<ForumRule, Rule>> = {
  line: lineComplaint,
  text: textComplaint,
  'required-line': (text: string) => lineComplaint(text) ?? unlessEmpty(text),
  'required-text': (text: string) => textComplaint(text) ?? unlessEmpty(text),
};
