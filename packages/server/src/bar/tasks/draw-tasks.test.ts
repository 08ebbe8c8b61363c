import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { system_random } from '../../random.ts';
import { isRightAnswer } from './check-answer.ts';
import { door_tasks, drawAdmission, drawQuiz, drawRenewal } from './draw-tasks.ts';
import { families } from './families.ts';
import { practice_tasks } from './practice.ts';
import type { Size, Task } from './task.ts';
import { seededRandom } from './testing/seeded-random.ts';

/** Words that the prompts of one family have and those of no other. */
const marks: Record<string, RegExp> = {
  reading: /\n\nQuestion: /,
  caesar: /After z comes a again/,
  'number-words': /Multiplication comes before|applied to the total so far|^A cellar holds/,
  hash: /the sha256 of the string/,
  dates: /weekday|YYYY-MM-DD|number of days|strike midnight/,
  units: /with the number of (ml|m|g|cm|s), digits only\.$/,
  sorting: /Answer with all of them in order/,
  primes: /\bprimes?\b/,
  transforms: /case matters\.$/,
  'code-tracing': /```python/,
  extraction:
    /lines without an id are noise|everything else is noise|list of orders|broken export|tired machine|Lines without a time/,
  'odd-one-out': /with that one word/,
  nadsat: /Glossary \(|Here the words mean/,
};

function familyOf({ prompt }: Task): string {
  const fitting = Object.keys(marks).filter((name) => marks[name]?.test(prompt));
  assert.equal(fitting.length, 1, `${fitting}: ${prompt}`);
  return fitting.join();
}

describe('drawAdmission', () => {
  it('draws eight tasks of eight families, reading always, in any order [BAR-045] [BAR-046]', () => {
    const random = seededRandom('admissions');
    const seen = new Map<string, number>();
    const places = new Set<number>();
    for (let draw = 0; draw < 300; draw += 1) {
      const drawn = drawAdmission(random).map(familyOf);
      assert.equal(drawn.length, 8);
      assert.equal(new Set(drawn).size, 8);
      places.add(drawn.indexOf('reading'));
      for (const name of drawn) seen.set(name, (seen.get(name) ?? 0) + 1);
    }
    assert.deepEqual([...seen.keys()].toSorted(), families.map(({ name }) => name).toSorted());
    assert.equal(seen.get('reading'), 300);
    assert.deepEqual([...places].toSorted(), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('shows no prompt twice in ten thousand challenges [BAR-047]', () => {
    const random = seededRandom('ten thousand');
    const seen = new Set<string>();
    for (let draw = 0; draw < 10_000; draw += 1) {
      for (const { prompt } of drawAdmission(random)) {
        // Long texts would fill the memory; their hashes stand for them.
        seen.add(prompt.length < 64 ? prompt : createHash('sha1').update(prompt).digest('base64'));
      }
    }
    assert.equal(seen.size, 80_000);
  });

  it('draws from the random source of the system as well', () => {
    const [one, other] = [drawAdmission(system_random), drawAdmission(system_random)];
    assert.equal(new Set([...one, ...other].map(({ prompt }) => prompt)).size, 16);
  });

  it('makes the same tasks from the same chance, and others from other', () => {
    const draw = (seed: string) => drawAdmission(seededRandom(seed));
    assert.deepEqual(draw('a'), draw('a'));
    assert.notDeepEqual(draw('a'), draw('b'));
  });
});

describe('drawRenewal and drawQuiz', () => {
  const light = families.filter(({ weight }) => weight === 'light').map(({ name }) => name);

  it('draw small tasks of light families: three different ones, or one [BAR-046]', () => {
    const random = seededRandom('renewals');
    const seen = new Set<string>();
    for (let draw = 0; draw < 1000; draw += 1) {
      const renewal = drawRenewal(random);
      const tasks = [...renewal, drawQuiz(random)];
      const drawn = tasks.map(familyOf);
      assert.equal(new Set(drawn.slice(0, 3)).size, 3);
      assert.equal(drawn.length, 4);
      for (const name of drawn) seen.add(name);
      for (const { prompt, answer } of tasks) {
        assert.ok(prompt.length <= 700, prompt);
        assert.match(answer, /^[ -~]{1,200}$/);
      }
    }
    assert.deepEqual([...seen].toSorted(), light.toSorted());
    assert.equal(light.length, 11);
    assert.ok(!light.includes('reading') && !light.includes('extraction'));
  });
});

describe('door_tasks and practice_tasks', () => {
  const occasions = ({ admission, renewal, quiz }: typeof door_tasks) => {
    const random = seededRandom('occasions');
    return [admission(random), renewal(random), [quiz(random)]];
  };

  it('ask eight, three and one', () => {
    for (const draws of [door_tasks, practice_tasks]) {
      assert.deepEqual(
        occasions(draws).map(({ length }) => length),
        [8, 3, 1],
      );
    }
  });

  it('ask in practice for a single word and nothing else [BAR-055]', () => {
    for (const tasks of occasions(practice_tasks)) {
      assert.equal(new Set(tasks.map(({ prompt }) => prompt)).size, tasks.length);
      for (const task of tasks) {
        const word = /^Reply with the single word: ([a-z]+)$/.exec(task.prompt)?.[1];
        assert.ok(word, task.prompt);
        assert.ok(isRightAnswer(task, word));
        assert.ok(isRightAnswer(task, ` "${word.toUpperCase()}".`));
        assert.ok(!isRightAnswer(task, `${word}x`));
      }
    }
  });
});

describe('families', () => {
  it('are thirteen, with two heavy ones [BAR-046]', () => {
    assert.equal(families.length, 13);
    assert.equal(new Set(families.map(({ name }) => name)).size, 13);
    assert.deepEqual(
      families.filter(({ weight }) => weight === 'heavy').map(({ name }) => name),
      ['reading', 'extraction'],
    );
  });

  it('refuse a near answer of every checking: exactly one is right [BAR-048] [BAR-053]', () => {
    const random = seededRandom('near answers');
    const sizes: Size[] = ['full', 'small'];
    const swap = (text: string) =>
      text.replace(/[a-z]/gi, (sign) =>
        sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase(),
      );
    for (const family of families) {
      for (const size of sizes) {
        for (let draw = 0; draw < 50; draw += 1) {
          const task = family.make(random, size);
          assert.ok(isRightAnswer(task, task.answer));
          for (const near of [`${task.answer}1`, `1${task.answer}`, task.answer.slice(1), '']) {
            if (task.checking !== 'integer' || BigInt(near || '-1') !== BigInt(task.answer))
              assert.ok(!isRightAnswer(task, near), `${near} for ${task.answer}`);
          }
          const swapped = swap(task.answer);
          const is_exact = task.checking === 'exact' && swapped !== task.answer;
          assert.equal(isRightAnswer(task, swapped), !is_exact, task.prompt);
        }
      }
    }
  });
});
