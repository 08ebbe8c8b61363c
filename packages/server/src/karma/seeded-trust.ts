import { type EigenTrustOptions, eigenTrust } from '@stoa/proof/karma';
import { lastAgent } from './agent-store.ts';
import type { Karma } from './karma.ts';
import { trust_every_ms, trust_rows, trust_steps_max } from './limits.ts';
import { listSatisfied } from './pair-store.ts';
import { isWithdrawnSince, lastReview } from './review-store.ts';
import { seedsKey } from './standing.ts';
import * as store from './trust-store.ts';

const billion = 1_000_000_000;
const options: EigenTrustOptions = { alpha: 0.15, epsilon: 1e-10, steps_max: trust_steps_max };

/** Lets others of the event loop go first. */
const rest = (karma: Pick<Karma, 'clock'>) =>
  new Promise<void>((resolve) => {
    karma.clock.after(0, resolve);
  });

/** Whether the run that counts knows all that there is to know. */
async function isCurrent(karma: Karma, run: store.TrustRun | undefined, seeds: string) {
  if (run?.seeds !== seeds) return false;
  if ((await lastReview(karma.read)) !== run.reviews_through) return false;
  return !(await isWithdrawnSince(karma.read, run.computed_at));
}

/** Who was more often content with whom than not, agents by their numbers less one. */
async function readLocalTrust(karma: Karma, agents: number) {
  const [from, to, value]: [number[], number[], number[]] = [[], [], []];
  let after = { reviewer_no: 0, subject_no: 0 };
  for (;;) {
    const pairs = await listSatisfied(karma.read, after, trust_rows);
    for (const { reviewer_no, subject_no, satisfaction } of pairs) {
      // Whoever came after the count of agents waits for the next run.
      if (reviewer_no > agents || subject_no > agents) continue;
      from.push(reviewer_no - 1);
      to.push(subject_no - 1);
      value.push(satisfaction);
    }
    const last = pairs.at(-1);
    if (!last || pairs.length < trust_rows) return { agents, from, to, value };
    after = last;
  }
}

/** Writes the answers of a run in small transactions; nobody reads them before it counts. */
async function writeTrust(karma: Karma, run: number, trust: Float64Array): Promise<void> {
  let rows: store.Trust[] = [];
  for (const [index, share] of trust.entries()) {
    const billionths = Math.round(share * billion);
    if (billionths > 0) rows.push({ run, agent_no: index + 1, trust: billionths });
    if (rows.length < trust_rows && index < trust.length - 1) continue;
    const written = rows;
    await karma.transact(({ db }) => store.insertTrust(db, written));
    rows = [];
  }
}

async function forgetOtherRuns(karma: Karma, run: number): Promise<void> {
  while (await karma.transact(({ db }) => store.deleteOtherRuns(db, run, trust_rows)));
}

/**
 * Computes anew how much trust flows from the operator's seeds to everybody, unless nothing was said since
 * the last time. Without seeds, or when nobody knows them, there is no number for anybody.
 */
async function computeSeededTrust(karma: Karma, signal: AbortSignal): Promise<void> {
  const { trusted_seeds } = karma.settings;
  const seeds = seedsKey(trusted_seeds);
  const before = await store.findRun(karma.read);
  if (trusted_seeds.length > 0 && (await isCurrent(karma, before, seeds))) return;

  // Read first: what is said from now on asks for another run.
  const computed_at = karma.clock.now();
  const reviews_through = await lastReview(karma.read);
  const agents = await lastAgent(karma.read);
  const numbers = await store.listNumbers(karma.read, trusted_seeds);
  const known = numbers.filter((number) => number <= agents);
  if (known.length === 0) {
    if (before) await karma.transact(({ db }) => store.deleteRun(db));
    return;
  }
  const run = (before?.run ?? 0) + 1;
  // A run that was broken off may have left some rows under this number.
  await forgetOtherRuns(karma, before?.run ?? 0);

  const pre_trust = new Float64Array(agents);
  for (const number of known) pre_trust[number - 1] = 1;
  const steps = eigenTrust(await readLocalTrust(karma, agents), pre_trust, options);
  let step = steps.next();
  while (!step.done) {
    if (signal.aborted) return;
    await rest(karma);
    step = steps.next();
  }
  await writeTrust(karma, run, step.value);
  await karma.transact(({ db }) =>
    store.saveRun(db, { id: 1, run, seeds, agents_through: agents, reviews_through, computed_at }),
  );
  await forgetOtherRuns(karma, run);
}

/** Keeps seeded trust at most a minute behind what is said, and the time that it takes. */
export function keepSeededTrust(karma: Karma): void {
  karma.jobs.every('karma.seeded-trust', {
    every_ms: trust_every_ms,
    run: ({ signal }) => computeSeededTrust(karma, signal),
  });
}
