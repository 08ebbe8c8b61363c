import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import vectors from '../../../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { printRounded, roundHalfEven } from './round-half-even.ts';
import { confidenceOf, recommendationOf, shownPercent, shownScore } from './verdict.ts';
import {
  addWeighted,
  scoreOfSums,
  type WeightedSums,
  weightBetween,
  weightOf,
  weightUnits,
} from './weight.ts';

const { weight, confidence, recommendation, percent, twoDecimals } = vectors.tables;
const nothing = (): WeightedSums => ({
  weight_high: 0,
  weight_low: 0,
  weighted_high: 0,
  weighted_low: 0,
});

it('weightOf gives the weights of the vectors', () => {
  for (const { received, weight: wanted } of weight) {
    assert.ok(Math.abs(weightOf(received) - wanted) < 1e-4, `${received}`);
  }
  assert.equal(weightOf(0), 0.1);
  assert.equal(weightOf(9), 1);
});

it('confidenceOf, recommendationOf and the shown texts are those of the vectors [KARMA-023]', () => {
  for (const of of confidence) assert.equal(confidenceOf(of.review_count), of.confidence);
  for (const of of recommendation) assert.equal(recommendationOf(of), of.recommendation);
  for (const of of percent) assert.equal(`${shownPercent(of.confidence)}%`, of.text);
  for (const of of twoDecimals) assert.equal(shownScore(of.score), of.text);
  // As long as four decimals tell it.
  for (let count = 0; count < 300; count += 1) {
    assert.ok(confidenceOf(count + 1) > confidenceOf(count), `${count}`);
  }
});

it('printRounded lets the even digit stand on a tie, and the exact value decide elsewhere', () => {
  for (const [value, decimals, text] of [
    [4.0625, 3, '4.062'],
    [4.1875, 3, '4.188'],
    [4.125, 2, '4.12'],
    [4.375, 2, '4.38'],
    [0.5, 0, '0'],
    [1.5, 0, '2'],
    [87.5, 0, '88'],
    [92.5, 0, '92'],
    [0.125, 2, '0.12'],
    // As a double a little less, and a little more, than it looks.
    [4.0005, 3, '4.000'],
    [1.0005, 3, '1.000'],
    [2.0035, 3, '2.003'],
    [0, 3, '0.000'],
    [9.5, 0, '10'],
    [9.9996, 3, '10.000'],
  ] as const) {
    assert.equal(printRounded(value, decimals), text, `${value}`);
  }
  assert.equal(roundHalfEven(4.0625, 3), 4.062);
});

it('scoreOfSums is the mean when all weigh the same, and follows a weight that changes', () => {
  const sums = nothing();
  addWeighted(sums, weightUnits(3), { reviews: 16, rating_sum: 65 });
  assert.equal(scoreOfSums(sums), 4.062);
  addWeighted(sums, weightBetween(3, 7), { reviews: 16, rating_sum: 65 });
  const again = nothing();
  addWeighted(again, weightUnits(7), { reviews: 16, rating_sum: 65 });
  assert.deepEqual(sums, again);
  assert.equal(scoreOfSums(nothing()), 0);
});

it('scoreOfSums of two hundred million reviews is as exact as of one, and in whole numbers that a double holds', () => {
  const sums = nothing();
  addWeighted(sums, weightUnits(999_999), { reviews: 199_999_999, rating_sum: 799_999_996 });
  addWeighted(sums, weightUnits(0), { reviews: 1, rating_sum: 4 });
  assert.equal(scoreOfSums(sums), 4);
  for (const part of Object.values(sums)) assert.ok(Number.isSafeInteger(part));
});

it('sums that are added up and taken back in any order leave nothing behind', () => {
  const review = fc.record({ received: fc.nat(1_000_000), rating: fc.integer({ min: 1, max: 5 }) });
  fc.assert(
    fc.property(fc.array(review, { minLength: 1 }), (reviews) => {
      const sums = nothing();
      for (const { received, rating } of reviews) {
        addWeighted(sums, weightUnits(received), { reviews: 1, rating_sum: rating });
      }
      const score = scoreOfSums(sums);
      assert.ok(score >= 1 && score <= 5);
      for (const { received, rating } of reviews.toReversed()) {
        addWeighted(sums, weightUnits(received), { reviews: -1, rating_sum: -rating });
      }
      assert.ok(Object.values(sums).every((part) => part === 0));
    }),
  );
});
