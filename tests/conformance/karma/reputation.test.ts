import assert from 'node:assert/strict';
import { test } from 'node:test';
import vectors from '../../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { assertAnswered } from '../../support/answers.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import {
  behind_proxy,
  documented,
  fromAddress,
  registryOf,
  reviewBody,
  unknownAgent,
} from './registry.ts';

const [twelve = assert.fail(), second] = vectors.histories;
const nobody = {
  display_name: null,
  score: 0,
  raw_average: 0,
  confidence: 0,
  review_count: 0,
  outcome_breakdown: { succeeded: 0, failed: 0, partial: 0 },
  recommendation: 'unknown: no reviews yet - proceed with caution or request references',
};

forEachEngine((engine) => {
  test('a review changes at once the scores of all whom its subject reviewed, and no other number [KARMA-019] [KARMA-032]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (const subject of ['s', 't']) {
      await registry.review('rising', subject, 5);
      await registry.review('plain', subject, 1);
    }
    const before = await registry.reputation('s');
    assert.equal(before.score, 3);
    // One received review weighs log10(2) against 0.1.
    await registry.review('client', 'rising');
    const after = await registry.reputation('s');
    assert.equal(after.score, 4.003);
    assert.equal((await registry.reputation('t')).score, 4.003);
    assert.deepEqual({ ...after, score: 0 }, { ...before, score: 0 });
    await registry.review('client', 'rising', 1);
    assert.equal((await registry.reputation('t')).score, 4.307);
  });

  test('a weight that reaches hundreds is in every answer at once, and spread in the background [KARMA-145] [KARMA-019]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'], config: behind_proxy });
    const registry = registryOf(house);
    const subjects = Array.from({ length: 260 }, (_, index) => `subject-${index}`);
    const post = async (reviewer_id: string, subject_id: string, rating: number, index: number) => {
      const body = reviewBody({ reviewer_id, subject_id, rating });
      assert.equal((await registry.post(body, fromAddress(index))).status, 201);
    };
    await Promise.all(subjects.map((subject, index) => post('busy', subject, 5, index)));
    const watched = ['subject-0', 'subject-150', 'subject-259'];
    await Promise.all(watched.map((subject, index) => post('other', subject, 1, index)));
    const scores = async () => {
      const { body } = await registry.get(`/choose?candidates=${watched.join(',')}`);
      const { ranking } = body as { ranking: { agent_id: string; score: number }[] };
      const { body: leaders } = await registry.get('/leaderboard?limit=100');
      const { agents } = leaders as { agents: { agent_id: string }[] };
      assert.ok(agents.every(({ agent_id }) => !watched.includes(agent_id)));
      return [
        ...ranking.map(({ score }) => score),
        ...(await Promise.all(watched.map(async (id) => (await registry.reputation(id)).score))),
      ];
    };
    const wanted = (score: number) => Array.from({ length: 6 }, () => score);
    assert.deepEqual(await scores(), wanted(3));
    await post('client', 'busy', 5, 500);
    // (5 × 0.301 + 1 × 0.1) / 0.401, whether it has arrived or not.
    assert.deepEqual(await scores(), wanted(4.003));
    await post('client', 'busy', 5, 500);
    assert.deepEqual(await scores(), wanted(4.307));
    const { read } = house.house.deps;
    const spreads = () => read.selectFrom('karma_spread').selectAll().execute();
    let tries_left = 2_000;
    while ((await spreads()).length > 0 && tries_left > 0) tries_left -= 1;
    assert.deepEqual(await spreads(), []);
    assert.deepEqual(await scores(), wanted(4.307));
  });

  test('fifty reviews at once of one subject, and a ring of agents who review each other, leave exact scores', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['karma'],
      config: { trust_proxy: 1 },
    });
    const registry = registryOf(house);
    const post = (index: number, reviewer_id: string, subject_id: string, rating: number) =>
      registry.post({ reviewer_id, subject_id, rating, outcome: 'succeeded' }, fromAddress(index));
    const ring = Array.from({ length: 10 }, (_, index) => `ring-${index}`);
    const posts = [
      ...Array.from({ length: 50 }, (_, index) =>
        post(index, `p${index}`, 'star', 1 + (index % 5)),
      ),
      // Everybody in the ring reviews its neighbours, both ways, and the star.
      ...ring.flatMap((id, index) => [
        post(50 + index, id, ring[(index + 1) % 10] ?? '', 5),
        post(60 + index, id, ring[(index + 9) % 10] ?? '', 3),
        post(70 + index, id, 'star', 1),
      ]),
    ];
    const answers = await Promise.all(posts);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    const ids = answers.map(({ body }) => (body as { review_id: number }).review_id);
    assert.deepEqual(
      ids.sort((a, b) => a - b),
      Array.from({ length: 80 }, (_, index) => index + 1),
    );
    // Weights: 50 strangers of 0.1 and a mean of 3, ten of the ring of log10(3) who say 1.
    const star = await registry.reputation('star');
    const weight = 10 * Math.log10(3);
    assert.equal(star.review_count, 60);
    assert.equal(star.score, Math.round(((15 + weight) / (5 + weight)) * 1_000) / 1_000);
    for (const id of ring) assert.equal((await registry.reputation(id)).score, 4);
  });
});

forOneEngine((engine) => {
  test('both histories give every reputation, choice, leaderboard and badge of the vectors [KARMA-033] [KARMA-105] [KARMA-113]', async () => {
    for (const history of vectors.histories) {
      await using house = await openTestHouse({ engine, rooms: ['karma'] });
      const registry = registryOf(house);
      await registry.load(history.reviews);
      for (const wanted of history.reputations) {
        assert.deepEqual(await registry.reputation(wanted.agent_id), wanted);
      }
      for (const { candidates, answer } of history.choices) {
        const { body } = await registry.get(`/choose?candidates=${encodeURIComponent(candidates)}`);
        const choice = body as { ranking: unknown[] };
        const ranking = choice.ranking.map(documented);
        assert.deepEqual({ ...choice, ranking }, answer, candidates);
      }
      for (const { limit, answer } of history.leaderboards) {
        assertAnswered(await registry.get(`/leaderboard?limit=${limit}`), 200, answer);
      }
      for (const { agent_id, text, color, width } of history.badges) {
        const path = `/agents/${encodeURIComponent(agent_id)}/badge.svg`;
        const { text: svg } = await registry.get(path);
        assert.ok(svg.includes(`width="${width}"`), `${agent_id}: ${svg}`);
        assert.ok(svg.includes(`>${text}</text>`) && svg.includes(`fill="${color}"`), svg);
      }
    }
  });

  test('the twelve reviews give the document’s example, each member of its type, and unknown ids their 404 [KARMA-013] [KARMA-014] [KARMA-015]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.load(twelve.reviews);
    const answer = await registry.get('/agents/summarizer-pro/reputation');
    assert.deepEqual(Object.keys(answer.body as object), [
      'agent_id',
      'display_name',
      'score',
      'raw_average',
      'confidence',
      'review_count',
      'outcome_breakdown',
      'recommendation',
      'signals',
    ]);
    assert.deepEqual(documented(answer.body), {
      agent_id: 'summarizer-pro',
      display_name: 'Summarizer Pro',
      score: 4.667,
      raw_average: 4.667,
      confidence: 0.5,
      review_count: 3,
      outcome_breakdown: { succeeded: 3, failed: 0, partial: 0 },
      recommendation: 'trusted: safe to delegate work',
    });
    for (const id of ['some-agent-id', 'Summarizer-Pro', '<b>']) {
      const unknown = await registry.get(`/agents/${encodeURIComponent(id)}/reputation`);
      assertAnswered(unknown, 404, unknownAgent(id));
      assert.equal(unknown.text, JSON.stringify(unknownAgent(id)));
    }
  });

  test('who writes reviews alone is known, without numbers and without weight [KARMA-017] [KARMA-024] [KARMA-026] [KARMA-031]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (let count = 0; count < 25; count += 1) await registry.review('writer', `w${count % 3}`, 1);
    assert.deepEqual(await registry.reputation('writer'), { agent_id: 'writer', ...nobody });
    // Had all that writing given weight, this would pull the score down.
    await registry.review('writer', 'subject', 1);
    await registry.review('fresh', 'subject', 5);
    assert.equal((await registry.reputation('subject')).score, 3);
  });

  test('a reviewer weighs by what it received: four that were reviewed against one that was not [KARMA-018]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (const name of ['v0', 'v1', 'v2', 'v3']) await registry.review('auditor', name);
    for (const name of ['v0', 'v1', 'v2', 'v3']) await registry.review(name, 'steady');
    await registry.review('throwaway', 'steady', 1);
    const { score, raw_average } = await registry.reputation('steady');
    assert.deepEqual([score, raw_average], [4.693, 4.2]);
    assert.equal(second?.reputations.find((of) => of.agent_id === 'steady')?.score, 4.693);
  });

  test('every review counts by itself, outcomes add up, and confidence rises with each [KARMA-021] [KARMA-023] [KARMA-025]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const wanted = new Map([
      [1, 0.2929],
      [2, 0.4226],
      [3, 0.5],
      [9, 0.6838],
    ]);
    let last = 0;
    for (let count = 1; count <= 9; count += 1) {
      const outcome = ['succeeded', 'failed', 'partial'][count % 3];
      await registry.review('same', 'subject', count === 9 ? 1 : 5, { outcome });
      const { confidence, outcome_breakdown, review_count } = await registry.reputation('subject');
      assert.ok(Number(confidence) > last);
      last = Number(confidence);
      if (wanted.has(count)) assert.equal(confidence, wanted.get(count));
      const outcomes = outcome_breakdown as Record<string, number>;
      assert.deepEqual(Object.keys(outcomes), ['succeeded', 'failed', 'partial']);
      const total = Object.values(outcomes).reduce((sum, one) => sum + one);
      assert.deepEqual([total, review_count], [count, count]);
    }
    assert.equal((await registry.reputation('subject')).raw_average, 4.556);
  });

  test('the plain mean is rounded to the even digit on a tie, and the weighted one stays in its bounds [KARMA-016] [KARMA-022]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    // 65 over 16.
    for (let count = 0; count < 16; count += 1) {
      await registry.review(`r${count}`, 'sixteen', count === 0 ? 5 : 4);
    }
    const { score, raw_average } = await registry.reputation('sixteen');
    assert.deepEqual([score, raw_average], [4.062, 4.062]);
    await registry.review('r', 'worst', 1);
    await registry.review('r', 'best', 5);
    assert.equal((await registry.reputation('worst')).score, 1);
    assert.equal((await registry.reputation('best')).score, 5);
  });

  test('what the score says changes at three reviews, at 3.0 and at 4.0 [KARMA-026] [KARMA-027] [KARMA-028] [KARMA-029] [KARMA-030]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const said = async (id: string) => (await registry.reputation(id)).recommendation;
    const low = (count: number) =>
      `low confidence: only ${count} review(s) - treat the score as provisional`;
    for (const [id, ratings, wanted] of [
      ['one', [5], low(1)],
      ['two', [1, 1], low(2)],
      ['four', [5, 4, 3], 'trusted: safe to delegate work'],
      ['under-four', [4, 4, 3], 'mixed: acceptable for low-stakes tasks, monitor outcomes'],
      ['three', [3, 3, 3], 'mixed: acceptable for low-stakes tasks, monitor outcomes'],
      ['under-three', [3, 3, 2], 'avoid: poor track record - do not delegate high-stakes work'],
    ] as const) {
      for (const [index, rating] of ratings.entries()) {
        await registry.review(`r${index}`, id, rating);
      }
      assert.equal(await said(id), wanted, id);
    }
    assert.equal(await said('r0'), nobody.recommendation);
  });
});
