import type { Random } from '../../random.ts';
import { plain_words } from './data/words.ts';
import { between, sample } from './draw.ts';
import type { Size } from './task.ts';

/** A Python function of five to twelve lines, a call of it, and what the call returns. */
type Traced = { readonly code: string; readonly call: string; readonly result: number | string };

/**
 * Twelve functions with constants of their own in each draw. Each computes its result beside its text;
 * all numbers stay whole, at or above nothing, and below 2^53, so both languages agree on them.
 */
export const functions: readonly ((random: Random, size: Size) => Traced)[] = [
  sumWithRemainder,
  halveOrGrow,
  turnWord,
  countLetters,
  weighDigits,
  lastInRing,
  countPairs,
  commonDivisor,
  growModulo,
  shiftLetters,
  mixBits,
  sumByRemainder,
];

function sumWithRemainder(random: Random, size: Size): Traced {
  const n = between(random, 12, size === 'small' ? 30 : 90);
  const divisor = between(random, 3, 9);
  const rest = random.below(divisor);
  const [start, factor, step] = drawNumbers(random, 3, 2, 400);
  let total = start;
  for (let i = 1; i <= n; i += 1) total += i % divisor === rest ? i * factor : step;
  return {
    code: `def f(n):
    total = ${start}
    for i in range(1, n + 1):
        if i % ${divisor} == ${rest}:
            total += i * ${factor}
        else:
            total += ${step}
    return total`,
    call: `f(${n})`,
    result: total,
  };
}

function halveOrGrow(random: Random, size: Size): Traced {
  const steps = between(random, 6, size === 'small' ? 10 : 24);
  const start = between(random, 20, 9999);
  const grow = 2 * between(random, 0, 2) + 1;
  const [add, limit] = drawNumbers(random, 2, 50, 900);
  let x = start;
  let high = 0;
  for (let step = 0; step < steps; step += 1) {
    x = x % 2 === 0 ? x / 2 : (x * grow + add) % (limit * 100);
    high = Math.max(high, x);
  }
  return {
    code: `def climb(x, steps):
    high = 0
    for _ in range(steps):
        if x % 2 == 0:
            x = x // 2
        else:
            x = (x * ${grow} + ${add}) % ${limit * 100}
        high = max(high, x)
    return high + x`,
    call: `climb(${start}, ${steps})`,
    result: high + x,
  };
}

function turnWord(random: Random): Traced {
  const [one = '', two = '', three = ''] = sample(random, plain_words, 3);
  const first = between(random, 1, 4);
  const second = between(random, 2, 5);
  const joined = one + two + three;
  const turned = joined.slice(first) + [...joined.slice(0, first)].reverse().join('');
  const picked = [...turned].filter((_, at) => at % second !== 0).join('');
  return {
    code: `def turn(a, b, c):
    text = a + b + c
    text = text[${first}:] + text[:${first}][::-1]
    out = ""
    for i, ch in enumerate(text):
        if i % ${second} != 0:
            out += ch
    return out`,
    call: `turn("${one}", "${two}", "${three}")`,
    result: picked,
  };
}

function countLetters(random: Random): Traced {
  const words = sample(random, plain_words, 4);
  const [factor, other] = drawNumbers(random, 2, 2, 99);
  const text = words.join(' ');
  const counts = new Map<string, number>();
  for (const sign of text) if (sign !== ' ') counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let score = 0;
  for (const count of counts.values()) score += count > 1 ? count * count * factor : other;
  return {
    code: `def score(text):
    counts = {}
    for ch in text:
        if ch != " ":
            counts[ch] = counts.get(ch, 0) + 1
    total = 0
    for count in counts.values():
        total += count * count * ${factor} if count > 1 else ${other}
    return total`,
    call: `score("${text}")`,
    result: score,
  };
}

function weighDigits(random: Random): Traced {
  const number = between(random, 100_000, 99_999_999);
  const [start, odd_factor, even_factor] = drawNumbers(random, 3, 2, 60);
  let total = start;
  for (let rest = number; rest > 0; rest = Math.floor(rest / 10)) {
    const digit = rest % 10;
    total = digit % 2 === 1 ? total + digit * odd_factor : total + digit * even_factor + 1;
  }
  return {
    code: `def weigh(n):
    total = ${start}
    while n > 0:
        digit = n % 10
        if digit % 2 == 1:
            total += digit * ${odd_factor}
        else:
            total += digit * ${even_factor} + 1
        n //= 10
    return total`,
    call: `weigh(${number})`,
    result: total,
  };
}

function lastInRing(random: Random, size: Size): Traced {
  const first = between(random, 1, 90_000);
  const count = between(random, 7, size === 'small' ? 12 : 40);
  const skip = between(random, 2, 9);
  const [factor] = drawNumbers(random, 1, 2, 99);
  const ring = Array.from({ length: count }, (_, at) => first + at * factor);
  let at = 0;
  while (ring.length > 1) {
    at = (at + skip) % ring.length;
    ring.splice(at, 1);
  }
  return {
    code: `def last(first, count):
    ring = [first + i * ${factor} for i in range(count)]
    at = 0
    while len(ring) > 1:
        at = (at + ${skip}) % len(ring)
        ring.pop(at)
    return ring[0]`,
    call: `last(${first}, ${count})`,
    result: ring[0] ?? Number.NaN,
  };
}

function countPairs(random: Random, size: Size): Traced {
  const high = size === 'small' ? 15 : 30;
  const [rows, columns] = [between(random, 6, high), between(random, 6, high)];
  const divisor = between(random, 3, 11);
  const rest = random.below(divisor);
  const [weight, offset, added] = drawNumbers(random, 3, 2, 300);
  let found = 0;
  for (let i = 1; i <= rows; i += 1) {
    for (let j = 1; j <= columns; j += 1) {
      if ((i * j + offset) % divisor === rest) found += weight + i;
    }
  }
  return {
    code: `def pairs(rows, columns):
    found = ${added}
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            if (i * j + ${offset}) % ${divisor} == ${rest}:
                found += ${weight} + i
    return found`,
    call: `pairs(${rows}, ${columns})`,
    result: found + added,
  };
}

function commonDivisor(random: Random): Traced {
  const shared = between(random, 3, 60);
  const [one, other] = [shared * between(random, 40, 900), shared * between(random, 40, 900)];
  const [factor, added] = drawNumbers(random, 2, 2, 900);
  let [a, b, rounds] = [one, other, 0];
  while (b > 0) {
    [a, b] = [b, a % b];
    rounds += 1;
  }
  return {
    code: `def divide(a, b):
    rounds = 0
    while b > 0:
        a, b = b, a % b
        rounds += 1
    return a * ${factor} + rounds * ${added}`,
    call: `divide(${one}, ${other})`,
    result: a * factor + rounds * added,
  };
}

function growModulo(random: Random, size: Size): Traced {
  const [first, second, factor] = drawNumbers(random, 3, 2, 99);
  const modulus = between(random, 500, 9999);
  const count = between(random, 6, size === 'small' ? 10 : 40);
  let [a, b] = [first, second];
  for (let round = 0; round < count; round += 1) [a, b] = [b, (a * factor + b) % modulus];
  return {
    code: `def grow(n):
    a, b = ${first}, ${second}
    for _ in range(n):
        a, b = b, (a * ${factor} + b) % ${modulus}
    return a + b`,
    call: `grow(${count})`,
    result: a + b,
  };
}

function shiftLetters(random: Random): Traced {
  const word = sample(random, plain_words, 3).join('');
  const [step, start] = drawNumbers(random, 2, 1, 25);
  let shift = start;
  let out = '';
  for (const sign of word) {
    out += String.fromCharCode(((sign.charCodeAt(0) - 97 + shift) % 26) + 97);
    shift += step;
  }
  return {
    code: `def veil(word):
    shift = ${start}
    out = ""
    for ch in word:
        out += chr((ord(ch) - 97 + shift) % 26 + 97)
        shift += ${step}
    return out`,
    call: `veil("${word}")`,
    result: out,
  };
}

function mixBits(random: Random, size: Size): Traced {
  const start = between(random, 1000, 65_535);
  const rounds = between(random, 4, size === 'small' ? 6 : 16);
  const [left, right] = [between(random, 1, 6), between(random, 1, 6)];
  const added = between(random, 3, 9999);
  let x = start;
  for (let round = 0; round < rounds; round += 1) {
    x = (x ^ (x << left)) & 65_535;
    x = ((x ^ (x >> right)) + added) & 65_535;
  }
  return {
    code: `def mix(x, rounds):
    for _ in range(rounds):
        x = (x ^ (x << ${left})) & 65535
        x = ((x ^ (x >> ${right})) + ${added}) & 65535
    return x`,
    call: `mix(${start}, ${rounds})`,
    result: x,
  };
}

function sumByRemainder(random: Random, size: Size): Traced {
  const divisor = between(random, 3, 7);
  const numbers = drawNumbers(random, size === 'small' ? 7 : 14, 10, 999);
  const added = between(random, 2, 99);
  const groups = new Map<number, number>();
  for (const number of numbers) {
    const key = number % divisor;
    groups.set(key, (groups.get(key) ?? added) + number);
  }
  const sums = [...groups.values()];
  return {
    code: `def widest(numbers):
    groups = {}
    for n in numbers:
        key = n % ${divisor}
        groups[key] = groups.get(key, ${added}) + n
    sums = sorted(groups.values())
    return sums[-1] - sums[0] + len(sums)`,
    call: `widest([${numbers.join(', ')}])`,
    result: Math.max(...sums) - Math.min(...sums) + sums.length,
  };
}

/** Numbers from `low` to `high`; as many as are asked for, so that they may be taken apart. */
function drawNumbers(
  random: Random,
  count: number,
  low: number,
  high: number,
): [number, number, number, ...number[]] {
  const draw = () => between(random, low, high);
  const rest = Array.from({ length: Math.max(0, count - 3) }, draw);
  return [draw(), draw(), draw(), ...rest];
}
