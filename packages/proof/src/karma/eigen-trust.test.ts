import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type EigenTrustOptions, eigenTrust, type LocalTrust } from './eigen-trust.ts';

type Edge = readonly [from: number, to: number, value: number];

function localTrust(agents: number, edges: readonly Edge[]): LocalTrust {
  return {
    agents,
    from: edges.map(([from]) => from),
    to: edges.map(([, to]) => to),
    value: edges.map(([, , value]) => value),
  };
}

/** The answer, and how many steps were taken. */
function run(
  trust: LocalTrust,
  pre_trust: readonly number[],
  options: Partial<EigenTrustOptions> = {},
): { trust: number[]; steps: number } {
  const all = { alpha: 0.5, epsilon: 1e-15, steps_max: 1_000, ...options };
  const steps = eigenTrust(trust, Float64Array.from(pre_trust), all);
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (done) return { trust: [...value], steps: count };
  }
}

function assertNear(is: readonly number[], wanted: readonly number[], by = 1e-12): void {
  assert.equal(is.length, wanted.length);
  for (const [index, value] of wanted.entries()) {
    assert.ok(Math.abs((is[index] ?? Number.NaN) - value) < by, `${index}: ${is[index]} ${value}`);
  }
}

it('eigenTrust is what a small graph gives by hand, and nothing to a circle that nobody trusts', () => {
  // The seed trusts 1, 1 trusts 2, 2 trusts the seed; half flows back: a = 1/2 + c/2, b = a/2, c = b/2.
  // 3 and 4 praise each other, and the seed a little.
  const edges = [
    [0, 1, 3],
    [1, 2, 9],
    [2, 0, 1],
    [3, 4, 5],
    [4, 3, 5],
    [3, 0, 1],
  ] as const;
  const { trust } = run(localTrust(5, edges), [1, 0, 0, 0, 0]);
  assertNear(trust, [4 / 7, 2 / 7, 1 / 7, 0, 0]);
});

it('eigenTrust gives the numbers of the published example of go-eigentrust', () => {
  // Its README: ek trusts sd 100 and vm 75, vm trusts sd 100; ek is pre-trusted 50, vm 100; alpha 0.5.
  const [ek, sd, vm] = [0, 1, 2];
  const edges = [
    [ek, sd, 100],
    [vm, sd, 100],
    [ek, vm, 75],
  ] as const;
  const { trust } = run(localTrust(3, edges), [50, 0, 100]);
  assertNear(trust, [0.21705427907166472, 0.3023255429103218, 0.4806201780180134], 1e-6);
  // The same in fractions: 28/129, 39/129, 62/129.
  assertNear(trust, [28 / 129, 39 / 129, 62 / 129]);
});

it('eigenTrust counts no trust in oneself, and shares add up to 1', () => {
  const edges = [
    [0, 1, 1],
    [1, 1, 1_000],
    [1, 0, 1],
  ] as const;
  const { trust } = run(localTrust(3, edges), [1, 0, 0]);
  assertNear(trust, [2 / 3, 1 / 3, 0]);
});

it('eigenTrust ends at its bound of steps, and refuses to begin with nobody', () => {
  const circle = localTrust(2, [
    [0, 1, 1],
    [1, 0, 1],
  ]);
  const { steps, trust } = run(circle, [1, 0], { alpha: 0, epsilon: 0, steps_max: 7 });
  assert.equal(steps, 8);
  assert.equal(
    trust.reduce((sum, value) => sum + value),
    1,
  );
  assert.throws(() => run(circle, [0, 0]), RangeError);
});
