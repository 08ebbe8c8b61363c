import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewText, withdrawalText } from '@stoa/proof/karma';
import { makeAgent } from '../../support/agents.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';
import { type Registry, registryOf } from './registry.ts';

const day_ms = 86_400_000;
const minute_ms = 60_000;

type Signals = {
  distinct_reviewers: number;
  reciprocal_share: number;
  top_reviewer_share: number;
  recent_score: number;
  with_receipts: number;
  seeded_trust: number | null;
};

async function signalsOf(registry: Registry, id: string): Promise<Signals> {
  const { body } = await registry.get(`/agents/${encodeURIComponent(id)}/reputation`);
  return (body as { signals: Signals }).signals;
}

const seededBy = (trusted_seeds: readonly string[]) => ({
  rooms: {
    karma: {
      is_mounted: true,
      settings: { self_reviews: 'refuse', example_reviews: false, trusted_seeds },
    },
  },
});

/** Lets a minute pass, and asks until seeded trust is what `is` wants. */
async function nextTrust(
  house: TestHouse,
  id: string,
  is: (trust: number | null) => boolean,
): Promise<number | null> {
  const registry = registryOf(house);
  for (let tries_left = 10_000; tries_left > 0; tries_left -= 1) {
    if (tries_left % 50 === 0) house.clock.advance(minute_ms);
    const { seeded_trust } = await signalsOf(registry, id);
    if (is(seeded_trust)) return seeded_trust;
  }
  return assert.fail('seeded trust was not computed');
}

forEachEngine((engine) => {
  test('signals show who praises whom: in the reputation and in each row of a choice [KARMA-133] [KARMA-134]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (let count = 0; count < 9; count += 1) {
      await registry.review('ann', 'bob', 5);
      await registry.review('bob', 'ann', 5);
    }
    const { recommendation, score } = await registry.reputation('bob');
    assert.deepEqual([score, recommendation], [5, 'trusted: safe to delegate work']);
    const circle = {
      distinct_reviewers: 1,
      reciprocal_share: 1,
      top_reviewer_share: 1,
      recent_score: 5,
      with_receipts: 0,
      seeded_trust: null,
    };
    assert.deepEqual(await signalsOf(registry, 'bob'), circle);

    await registry.review('x', 'work', 4, { evidence: 'a receipt' });
    await registry.review('x', 'work', 2, { evidence: '' });
    await registry.review('y', 'work', 3, { evidence: 'another' });
    const honest = {
      distinct_reviewers: 2,
      reciprocal_share: 0,
      top_reviewer_share: 0.6667,
      recent_score: 3,
      with_receipts: 2,
      seeded_trust: null,
    };
    assert.deepEqual(await signalsOf(registry, 'work'), honest);
    // The first review back makes those of x reciprocal, all at once, and the other way round.
    await registry.review('work', 'x', 5);
    assert.equal((await signalsOf(registry, 'work')).reciprocal_share, 0.6667);
    assert.equal((await signalsOf(registry, 'x')).reciprocal_share, 1);

    const { body } = await registry.get('/choose?candidates=bob,work,nobody');
    const { ranking } = body as { ranking: { agent_id: string; signals: Signals }[] };
    const rows = new Map(ranking.map(({ agent_id, signals }) => [agent_id, signals]));
    assert.deepEqual(rows.get('bob'), circle);
    assert.deepEqual(rows.get('work'), { ...honest, reciprocal_share: 0.6667 });
    assert.deepEqual(rows.get('nobody'), {
      ...circle,
      distinct_reviewers: 0,
      reciprocal_share: 0,
      top_reviewer_share: 0,
      recent_score: 0,
    });
  });

  test('seeded trust flows from the seeds as computed by hand, and none to a circle that praises itself [KARMA-136]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['karma'],
      config: seededBy(['seed', 'unheard of']),
    });
    const registry = registryOf(house);
    // A ring of good ratings, a bad one that counts for nothing, and two who praise each other.
    await registry.review('seed', 'second', 5);
    await registry.review('second', 'third', 4);
    await registry.review('third', 'seed', 5);
    await registry.review('seed', 'poor', 1);
    await registry.review('seed', 'so-so', 3);
    for (let count = 0; count < 9; count += 1) {
      await registry.review('ann', 'bob', 5);
      await registry.review('bob', 'ann', 5);
    }
    // A computation that knows the last of them knows them all.
    await nextTrust(house, 'bob', (trust) => trust !== null);
    const first = 0.15 / (1 - 0.85 ** 3);
    const near = (trust: number | null, wanted: number) =>
      trust !== null && Math.abs(trust - wanted) < 1e-8;
    for (const [id, wanted] of [
      ['seed', first],
      ['second', first * 0.85],
      ['third', first * 0.85 ** 2],
      ['poor', 0],
      ['so-so', 0],
      ['ann', 0],
      ['bob', 0],
    ] as const) {
      const { seeded_trust } = await signalsOf(registry, id);
      assert.ok(near(seeded_trust, wanted), `${id}: ${seeded_trust} ${wanted}`);
    }
    // The two may be as trusted as they like by the formula.
    assert.equal(
      (await registry.reputation('bob')).recommendation,
      'trusted: safe to delegate work',
    );
  });

  test('who is too new has no seeded trust yet, and gets it within a minute [KARMA-137]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['karma'],
      config: seededBy(['seed']),
    });
    const registry = registryOf(house);
    await registry.review('seed', 'known', 5);
    await nextTrust(house, 'known', (trust) => trust !== null);
    await registry.review('known', 'new', 5);
    assert.equal((await signalsOf(registry, 'new')).seeded_trust, null);
    const trust = await nextTrust(house, 'new', (of) => of !== null);
    assert.ok(Number(trust) > 0.2);
    // What goes on being true is not computed again, and stays.
    house.clock.advance(10 * minute_ms);
    assert.equal((await signalsOf(registry, 'new')).seeded_trust, trust);
  });

  test('without seeds, or with none that is known, there is no seeded trust, never a made-up one [KARMA-136]', async () => {
    for (const seeds of [[], ['unheard of']]) {
      await using house = await openTestHouse({
        engine,
        rooms: ['karma'],
        config: seededBy(seeds),
      });
      const registry = registryOf(house);
      await registry.review('a', 'b', 5);
      for (let count = 0; count < 5; count += 1) {
        house.clock.advance(minute_ms);
        assert.equal((await signalsOf(registry, 'b')).seeded_trust, null);
      }
    }
  });
});

forOneEngine((engine) => {
  test('who takes its own review back is reviewed in return all the same [KARMA-134]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const ann = makeAgent('ann');
    const review = {
      reviewer_id: 'ann',
      subject_id: 'bob',
      rating: 5,
      outcome: 'succeeded',
      task_summary: '',
      evidence: null,
      evidence_url: null,
    } as const;
    const signature = ann.sign(reviewText(review));
    const id = await registry.review('ann', 'bob', 5, { public_key: ann.public_key, signature });
    await registry.review('bob', 'ann', 5);
    await registry.review('other', 'ann', 5);
    const answer = await registry.send('POST', `/reviews/${id}/withdraw`, {
      signature: ann.sign(withdrawalText(signature)),
    });
    assert.equal(answer.status, 200);
    assert.equal((await registry.reputation('bob')).review_count, 0);
    assert.equal((await signalsOf(registry, 'ann')).reciprocal_share, 0.5);
    // It goes on so for what comes later, and counts once.
    await registry.review('bob', 'ann', 5);
    assert.equal((await signalsOf(registry, 'ann')).reciprocal_share, 0.6667);
    const { distinct_reviewers, reciprocal_share } = await signalsOf(registry, 'bob');
    assert.deepEqual([distinct_reviewers, reciprocal_share], [0, 0]);
  });

  test('evidence in which nothing is to be seen is no receipt, and is kept as sent [KARMA-134] [KARMA-048]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const nothing = [
      '',
      ' ',
      '\n\t\r\n',
      '\u00a0\u2003\u3000',
      '\u200b\ufeff\u2060',
      '\u0007\u001f',
    ];
    for (const evidence of nothing) {
      const id = await registry.review('a', 'b', 5, { evidence });
      const { body } = await registry.get(`/reviews/${id}`);
      assert.equal((body as { evidence: string }).evidence, evidence);
    }
    assert.equal((await signalsOf(registry, 'b')).with_receipts, 0);
    for (const evidence of [' .', '0', 'é', '証', '🤖']) {
      await registry.review('a', 'b', 5, { evidence });
    }
    assert.equal((await signalsOf(registry, 'b')).with_receipts, 5);
  });

  test('the recent score halves a review every ninety days, and the score does not [KARMA-135]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.review('a', 'b', 1);
    house.clock.advance(90 * day_ms);
    await registry.review('a', 'b', 4);
    assert.equal((await signalsOf(registry, 'b')).recent_score, 3);
    assert.equal((await registry.reputation('b')).score, 2.5);
    house.clock.advance(90 * day_ms);
    await registry.review('a', 'b', 5);
    // 1/4, 1/2 and 1: (0.25 + 2 + 5) / 1.75.
    assert.equal((await signalsOf(registry, 'b')).recent_score, 4.143);
    house.clock.advance(900 * day_ms);
    assert.equal((await signalsOf(registry, 'b')).recent_score, 4.143);
  });
});
