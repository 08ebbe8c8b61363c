import assert from 'node:assert/strict';
import { test } from 'node:test';
import vectors from '../../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { assertAnswered } from '../../support/answers.ts';
import { forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { assertDetail, assertInvalid, documented, type Registry, registryOf } from './registry.ts';

const twelve = vectors.histories[0] ?? assert.fail();

type Ranked = Readonly<Record<string, unknown>> & { readonly agent_id: string };
type Choice = { chosen: string | null; reasoning: string; ranking: Ranked[] };

/** A choice among ids that hold no comma, less the signals. */
async function choose(registry: Registry, candidates: string): Promise<Choice> {
  const answer = await registry.get(`/choose?candidates=${encodeURIComponent(candidates)}`);
  assert.equal(answer.status, 200, answer.text);
  const { ranking, ...rest } = answer.body as Choice;
  return { ...rest, ranking: ranking.map((row) => documented(row) as Ranked) };
}

async function rate(registry: Registry, id: string, ratings: readonly number[]): Promise<void> {
  for (const [index, rating] of ratings.entries()) await registry.review(`r${index}`, id, rating);
}

forOneEngine((engine) => {
  test('the answer and each row have exactly their members, and the twelve give the example [KARMA-087] [KARMA-088] [KARMA-089]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.load(twelve.reviews);
    const path = '/choose?candidates=summarizer-pro,flaky-translator,cheap-scraper';
    const { body } = await registry.get(path);
    assert.deepEqual(Object.keys(body as Choice), ['chosen', 'reasoning', 'ranking']);
    for (const row of (body as Choice).ranking) {
      assert.deepEqual(Object.keys(row), [
        'agent_id',
        'known',
        'score',
        'confidence',
        'review_count',
        'recommendation',
        'signals',
      ]);
    }
    const wanted = twelve.choices[0] ?? assert.fail();
    assert.deepEqual(await choose(registry, wanted.candidates), wanted.answer);
  });

  test('the ranking goes by score, confidence, number and id, and ties are decided alike [KARMA-090] [KARMA-093] [KARMA-104]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await rate(registry, 'four-of-two', [4, 4]);
    await rate(registry, 'four-of-one', [4]);
    await rate(registry, 'five', [5]);
    for (const id of ['tie-b', 'tie-a', 'tie-Z', 'tie-é', 'tie-🤖', 'tie-\uffee']) {
      await rate(registry, id, [4, 4]);
    }
    const { ranking } = await choose(
      registry,
      'tie-\uffee,tie-🤖,ghost,tie-é,tie-b,four-of-one,tie-Z,five,tie-a,four-of-two',
    );
    assert.deepEqual(
      ranking.map(({ agent_id }) => agent_id),
      [
        'five',
        'four-of-two',
        'tie-Z',
        'tie-a',
        'tie-b',
        'tie-é',
        // By code point, not by UTF-16 code unit.
        'tie-\uffee',
        'tie-🤖',
        'four-of-one',
        'ghost',
      ],
    );
    assert.deepEqual(await choose(registry, 'tie-b,tie-a'), await choose(registry, 'tie-a,tie-b'));
    assert.equal((await choose(registry, 'tie-b,tie-a')).chosen, 'tie-a');
    for (const { agent_id, known, score, confidence, review_count, recommendation } of ranking) {
      if (known === false) continue;
      const reputation = await registry.reputation(agent_id);
      assert.deepEqual(
        { score, confidence, review_count, recommendation },
        {
          score: reputation.score,
          confidence: reputation.confidence,
          review_count: reputation.review_count,
          recommendation: reputation.recommendation,
        },
      );
    }
  });

  test('who is avoided is passed over where its score puts it, who is unsure is not, and the sentence says so [KARMA-091] [KARMA-092] [KARMA-094] [KARMA-096] [KARMA-097]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await rate(registry, 'bad', [2, 2, 2]);
    await rate(registry, 'worse', [1, 2, 2]);
    await rate(registry, 'one-star', [1]);
    await rate(registry, 'good', [5, 4, 5]);
    const unsure = await choose(registry, 'worse,ghost,one-star,bad');
    assert.equal(unsure.chosen, 'one-star');
    assert.equal(
      unsure.reasoning,
      'one-star has the strongest weighted reputation (1.00/5, 29% confidence, 1 review); excluded bad (avoid), worse (avoid).',
    );
    assert.deepEqual(
      unsure.ranking.map(({ agent_id }) => agent_id),
      ['bad', 'worse', 'one-star', 'ghost'],
    );
    const sure = await choose(registry, 'good,one-star');
    assert.equal(
      sure.reasoning,
      'good has the strongest weighted reputation (4.67/5, 50% confidence, 3 reviews).',
    );
  });

  test('who is unknown, or only writes, is listed with nothing; where nobody is left nobody is chosen [KARMA-095] [KARMA-098] [KARMA-099] [KARMA-100]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await rate(registry, 'bad', [1, 1, 1]);
    const none = {
      score: 0,
      confidence: 0,
      review_count: 0,
      recommendation: 'unknown: no reviews yet - proceed with caution or request references',
    };
    const unrated = await choose(registry, 'r0,ghost');
    assert.deepEqual(unrated, {
      chosen: null,
      reasoning: 'no candidate has any reviews yet - gather references before delegating.',
      ranking: [
        { agent_id: 'ghost', known: false, ...none },
        { agent_id: 'r0', known: true, ...none },
      ],
    });
    const avoided = await choose(registry, 'bad');
    assert.deepEqual(
      [avoided.chosen, avoided.reasoning],
      [null, 'every candidate has a poor track record - do not delegate this task.'],
    );
    const mixed = await choose(registry, 'ghost,bad');
    assert.deepEqual(
      [mixed.chosen, mixed.reasoning],
      [
        null,
        'no candidate has any reviews yet - gather references before delegating; excluded bad (avoid).',
      ],
    );
  });

  test('ids are trimmed, each taken once, one to fifty of them [KARMA-101] [KARMA-102] [KARMA-103]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const { ranking } = await choose(registry, ' x ,,x,\ty\n, ,z,');
    assert.deepEqual(
      ranking.map(({ agent_id }) => agent_id),
      ['x', 'y', 'z'],
    );
    const ids = Array.from({ length: 51 }, (_, index) => `a${index}`);
    assert.equal((await choose(registry, 'one')).ranking.length, 1);
    assert.equal((await choose(registry, ids.slice(1).join(','))).ranking.length, 50);
    const twice = [...ids.slice(1), 'a7'].join(',');
    assert.equal((await choose(registry, twice)).ranking.length, 50);
    const beyond = await registry.get(`/choose?candidates=${ids.join(',')}`);
    assertAnswered(beyond, 422, { detail: 'at most 50 candidates per call' });
    for (const query of ['', '?candidates=', '?other=a']) {
      assertInvalid(await registry.get(`/choose${query}`), [['query', 'candidates']], query);
    }
    assertInvalid(await registry.get('/choose?candidates=a&candidates=b'), [
      ['query', 'candidates'],
    ]);
    for (const query of [',', ',%20,', '%20', ',,,,']) {
      const answer = await registry.get(`/choose?candidates=${query}`);
      assertDetail(answer, 422, 'candidates must contain at least one agent id');
    }
    const odd = await choose(registry, '\u0000,<script>,🤖,..');
    assert.equal(odd.ranking.length, 4);
    assert.equal(odd.chosen, null);
  });
});
