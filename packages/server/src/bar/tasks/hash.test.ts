import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { hash } from './hash.ts';
import { checkFamily, drawTasks, solverOf } from './testing/check-family.ts';

const backwards = (text: string) => text.split('').toReversed().join('');
const quoted = (text: string) => /"([^"]*)"/.exec(text)?.[1] ?? '';

/** Reads the end of a prompt: how much of the digest is wanted. */
function digestOf(text: string, tail: string): string {
  const digest = createHash('sha256').update(text, 'utf8').digest('hex');
  const digits = /first (\d+) hex digits/.exec(tail)?.[1];
  return digits === undefined ? digest : digest.substring(0, Number(digits));
}

const solve = solverOf([
  {
    wording: 'steps',
    pattern:
      /^(?:Build|Put) a string (?:together )?step by step:\n(?<lines>(?:\d\. .*\n)+)(?<tail>.*)/,
    answer({ lines = '', tail = '' }) {
      let text = '';
      for (const line of lines.trim().split('\n')) {
        for (const order of line.replace(/^\d\. /, '').split(', then ')) {
          if (order.startsWith('start with')) text = quoted(order);
          else if (order.startsWith('append')) text += quoted(order);
          else if (order.startsWith('put')) text = quoted(order) + text;
          else if (order === 'reverse the string') text = backwards(text);
          else if (order === 'turn all letters into upper case') text = text.toUpperCase();
          else {
            const times = /^repeat the whole string .* (\d) times$/.exec(order)?.[1];
            assert.ok(times, order);
            text = Array<string>(Number(times)).fill(text).join('');
          }
        }
      }
      return digestOf(text, tail);
    },
  },
  {
    wording: 'join',
    pattern:
      /(?:these parts|the parts of a string): (?<parts>.*)\. Join them in this order with "(?<joiner>.)" between them\. (?<tail>.*)/,
    answer({ parts = '', joiner = '', tail = '' }) {
      const changed = parts.split('; ').map((part) => {
        const text = quoted(part);
        if (part.endsWith('reversed')) return backwards(text);
        if (part.endsWith('in upper case')) return text.toUpperCase();
        const times = /(\d) times in a row$/.exec(part)?.[1];
        if (times === undefined) assert.ok(part.endsWith('as it is'), part);
        return Array<string>(Number(times ?? 1))
          .fill(text)
          .join('');
      });
      return digestOf(changed.join(joiner), tail);
    },
  },
  {
    wording: 'counter',
    pattern:
      /^(?:Write|Put down) "(?<copy>\w+)" (?<times>\d+) times, each .* with "(?<joiner>.)" between the numbered copies\. Then append "(?<end>\w+)"\. (?<tail>.*)/,
    answer({ copy = '', times = '', joiner = '', end = '', tail = '' }) {
      let text = '';
      for (let at = 1; at <= Number(times); at += 1) {
        text += `${at > 1 ? joiner : ''}${copy}${at}`;
      }
      return digestOf(text + end, tail);
    },
  },
]);

describe('hash', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(hash, solve);
  });

  it('never prints the answer', () => {
    for (const { prompt, answer } of drawTasks(hash, 'full')) {
      assert.ok(!prompt.toLowerCase().includes(answer), prompt);
    }
  });
});
