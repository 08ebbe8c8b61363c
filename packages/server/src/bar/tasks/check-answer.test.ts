import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isRightAnswer } from './check-answer.ts';
import type { Checking } from './task.ts';

function judge(checking: Checking, answer: string, given: readonly string[], expected: boolean) {
  for (const one of given) {
    assert.equal(isRightAnswer({ checking, answer }, one), expected, JSON.stringify(one));
  }
}

describe('isRightAnswer', () => {
  it('takes quotes, backticks and one full stop off a text [BAR-051]', () => {
    const wrapped = [
      'Wednesday.',
      '"wednesday"',
      '`WEDNESDAY`',
      '"Wednesday".',
      '"Wednesday."',
      "'Wednesday'",
      '\u201cWednesday\u201d',
      '\u2018Wednesday.\u2019',
      ' \t"\u201c `wednesday` \u201d" . \n',
      '"\'Wednesday\'"',
    ];
    judge('text', 'Wednesday', wrapped, true);
  });

  it('takes off no more than that [BAR-051]', () => {
    const others = [
      'Wednesday..',
      '"Wednesday.".',
      '"Wednesday',
      'Wednesday"',
      '"Wednesday\'',
      '\u201dWednesday\u201c',
      '(Wednesday)',
      'Wednesday!',
      '.Wednesday',
      'Wednes day',
      'It was Wednesday',
      '',
      '"',
      '.',
    ];
    judge('text', 'Wednesday', others, false);
  });

  it('compares a text in any case and with any spaces between words [BAR-052]', () => {
    const right = [' prime  number ', 'PRIME\tNumber', 'prime\u00a0number', 'prime\n number.'];
    judge('text', 'prime number', right, true);
    judge('text', 'prime number', ['primenumber', 'prime-number', 'number prime'], false);
  });

  it('compares an exact answer as it stands, once it is unwrapped [BAR-053] [BAR-051]', () => {
    judge('exact', 'aB3xY', ['aB3xY', '"aB3xY"', '`aB3xY`.', ' aB3xY '], true);
    judge('exact', 'aB3xY', ['ab3xy', 'AB3XY', 'aB3xy', 'aB3 xY', 'aB3xY..'], false);
  });

  it('compares a list item by item, whatever is quoted [BAR-051] [BAR-052]', () => {
    const right = [
      'fig, apple, pear',
      'fig,apple,pear.',
      ' Fig ,  APPLE, pear ',
      '"fig, apple, pear"',
      '"fig, apple, pear".',
      '"fig", "apple", "pear"',
      "'fig', 'apple', 'pear'.",
      '`"fig", "apple", "pear"`',
      '\u201cfig\u201d, \u201capple\u201d, \u201cpear\u201d',
      'fig, "apple", pear',
    ];
    judge('list', 'fig, apple, pear', right, true);
    const wrong = [
      'apple, fig, pear',
      'fig, apple',
      'fig, apple, pear, ',
      'fig apple pear',
      'fig; apple; pear',
      '[fig, apple, pear]',
      '1. fig, 2. apple, 3. pear',
    ];
    judge('list', 'fig, apple, pear', wrong, false);
    judge('list', '12, 7', ['12,7', '"12", "7"'], true);
    judge('list', '12, 7', ['7, 12', '12, 07'], false);
  });

  it('reads thousands separators, one and the same throughout [BAR-054]', () => {
    const right = [
      '1048213',
      '1,048,213',
      '1_048_213',
      '1 048 213',
      "1'048'213",
      '1\u2019048\u2019213',
      '1\u00a0048\u00a0213',
      '1\u2009048\u2009213',
      '1\u202f048\u202f213',
      '+1,048,213',
      '"1,048,213".',
      '01048213',
    ];
    judge('integer', '1048213', right, true);
    const wrong = [
      '1,04,8213',
      '1,048 213',
      '10,48,213',
      '1048,213',
      '1,,048,213',
      '1.048.213',
      ',048,213',
      '1,048,213,',
      '-1048213',
      '1048213.0',
      '1.048213e6',
      '1048 213',
      '\u0661048213',
    ];
    judge('integer', '1048213', wrong, false);
  });

  it('reads one unit word after an integer [BAR-054]', () => {
    const right = ['42 km', '42km', '42 km/h', '42 m²', '42 m³', '42 litres.', '42\u00a0\u00b5m'];
    judge('integer', '42', right, true);
    judge('integer', '1048213', ['1048213 km', '1,048,213 km', '1 048 213 km'], true);
    const wrong = [
      '42 km each',
      '42  km',
      '42 /',
      'km 42',
      '42 km 42',
      '42 %',
      '42 km.h',
      '42, km',
    ];
    judge('integer', '42', wrong, false);
    judge('integer', '78', ['7 8 km', '7 8'], false);
  });

  it('reads signs and leading zeros, and nothing but whole decimal numbers [BAR-054]', () => {
    judge('integer', '7', ['+7', '007', '7', '+007'], true);
    judge('integer', '0', ['0', '-0', '000', '+0'], true);
    judge('integer', '-7', ['-7', '-007'], true);
    judge('integer', '42', ['42.0', '4 2', 'forty', '0x2a', '4_2', '+-42', '', '+', '42-'], false);
    judge('integer', '7', ['-7', '- 7', '+ 7'], false);
  });

  it('compares numbers of any size, digit by digit [BAR-054]', () => {
    const number = fc.bigInt({ min: 10n ** 20n, max: 10n ** 60n });
    fc.assert(
      fc.property(number, fc.constantFrom(',', '_', ' ', '\u202f'), (value, separator) => {
        const grouped = `${value}`.replace(/\B(?=(\d{3})+$)/g, separator);
        judge('integer', `${value}`, [`${value}`, grouped, `000${value} km`], true);
        judge('integer', `${value}`, [`${value + 1n}`, `${grouped}0`, `-${value}`], false);
      }),
    );
  });

  it('answers about any text at once, however it is built', () => {
    const half = 32_000;
    const odd = [
      '"'.repeat(2 * half),
      '.'.repeat(2 * half),
      '1'.repeat(2 * half),
      ' '.repeat(half),
    ];
    const mixed = ['1,'.repeat(half), `${'\u201c'.repeat(half)}${'\u201d'.repeat(half)}`];
    const started = performance.now();
    for (const checking of ['text', 'exact', 'list', 'integer'] as const) {
      judge(checking, '42', [...odd, ...mixed], false);
    }
    assert.ok(performance.now() - started < 2000);
  });

  it('finds every answer right that it is compared with', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('text', 'exact', 'list'), (answer, checking) => {
        assert.ok(isRightAnswer({ checking, answer }, answer));
      }),
    );
  });
});
