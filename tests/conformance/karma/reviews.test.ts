import assert from 'node:assert/strict';
import { test } from 'node:test';
import vectors from '../../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { assertAnswered } from '../../support/answers.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { assertInvalid, not_found, type Registry, registryOf } from './registry.ts';

const twelve = vectors.histories[0] ?? assert.fail();
const members = [
  'id',
  'reviewer_id',
  'subject_id',
  'rating',
  'outcome',
  'task_summary',
  'evidence_url',
  'evidence',
  'created_at',
];

type Review = Readonly<Record<string, unknown>> & { readonly id: number };

async function list(registry: Registry, agent_id: string, query = ''): Promise<Review[]> {
  const answer = await registry.get(`/agents/${agent_id}/reviews${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Review[];
}

const idsOf = (reviews: readonly Review[]) => reviews.map(({ id }) => id);
const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

forEachEngine((engine) => {
  test('a list has what an agent received, newest first, each with exactly its nine members [KARMA-072] [KARMA-073] [KARMA-074]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['karma'],
      start: Date.parse('2026-07-09T11:37:36.999Z'),
    });
    const registry = registryOf(house);
    const evidence_url = 'javascript:alert(1)';
    await registry.review('a', 'b', 5, { evidence: '<b>', evidence_url, task_summary: 'x' });
    await registry.review('a', 'c');
    house.clock.advance(1);
    await registry.review('c', 'b', 1);
    const reviews = await list(registry, 'b');
    assert.deepEqual(idsOf(reviews), [3, 1]);
    for (const review of reviews) assert.deepEqual(Object.keys(review), members);
    assert.deepEqual(reviews[1], {
      id: 1,
      reviewer_id: 'a',
      subject_id: 'b',
      rating: 5,
      outcome: 'succeeded',
      task_summary: 'x',
      evidence_url,
      evidence: '<b>',
      created_at: '2026-07-09T11:37:36Z',
    });
    const { evidence, task_summary, created_at } = reviews[0] ?? assert.fail();
    assert.deepEqual([evidence, task_summary, created_at], [null, '', '2026-07-09T11:37:37Z']);
  });

  test('limit and offset page through every review once, within their bounds [KARMA-075] [KARMA-076] [KARMA-077] [KARMA-078] [KARMA-079]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (let count = 0; count < 51; count += 1) await registry.review(`r${count}`, 'b');
    assert.deepEqual(idsOf(await list(registry, 'b')), down(51, 2));
    assert.deepEqual(idsOf(await list(registry, 'b', '?limit=200')), down(51, 1));
    assert.deepEqual(idsOf(await list(registry, 'b', '?limit=1&offset=0')), [51]);
    assert.deepEqual(idsOf(await list(registry, 'b', '?offset=49&other=x')), [2, 1]);
    for (const offset of [51, 52, 9_007_199_254_740_991]) {
      assert.deepEqual(await list(registry, 'b', `?offset=${offset}`), []);
    }
    const pages: number[] = [];
    for (let offset = 0; offset < 52; offset += 2) {
      pages.push(...idsOf(await list(registry, 'b', `?limit=2&offset=${offset}`)));
    }
    assert.deepEqual(pages, down(51, 1));
    for (const [name, values] of [
      ['limit', ['0', '201', '-1', '', 'abc', '1.5', '1e1', '1&limit=2', '99999999999999999999']],
      ['offset', ['-1', '1.5', '', 'abc', '%20', '0x1', '1&offset=1']],
    ] as const) {
      for (const value of values) {
        const answer = await registry.get(`/agents/b/reviews?${name}=${value}`);
        assertInvalid(answer, [['query', name]], `${name}=${value}`);
      }
    }
    const both = await registry.get('/agents/b/reviews?limit=0&offset=-1');
    assertInvalid(both, [
      ['query', 'limit'],
      ['query', 'offset'],
    ]);
  });
});

forOneEngine((engine) => {
  test('who received none has none, known or not [KARMA-080]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.review('writer', 'b');
    assert.deepEqual(await list(registry, 'writer'), []);
    assert.deepEqual(await list(registry, 'nobody'), []);
  });

  test('the twelve give the document’s list and its review [KARMA-081] [KARMA-083]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.load(twelve.reviews);
    const reviews = await list(registry, 'summarizer-pro', '?limit=2');
    assert.deepEqual(
      reviews.map(({ evidence: _, created_at: __, ...rest }) => rest),
      [
        {
          id: 3,
          reviewer_id: 'data-broker',
          subject_id: 'summarizer-pro',
          rating: 5,
          outcome: 'succeeded',
          task_summary: 'condensed a research paper',
          evidence_url: null,
        },
        {
          id: 2,
          reviewer_id: 'agent-orchestrator',
          subject_id: 'summarizer-pro',
          rating: 4,
          outcome: 'succeeded',
          task_summary: 'summarized meeting notes',
          evidence_url: null,
        },
      ],
    );
    const { body } = await registry.get('/reviews/3');
    assert.deepEqual(
      { ...(body as Review), created_at: '' },
      {
        id: 3,
        reviewer_id: 'data-broker',
        subject_id: 'summarizer-pro',
        rating: 5,
        outcome: 'succeeded',
        task_summary: 'condensed a research paper',
        evidence_url: null,
        evidence:
          'Input: 38-page PDF... Output: 412-word abstract covering methods, findings, limitations.',
        created_at: '',
      },
    );
  });

  test('one review has its nine members; what is no id of one is unknown as it stands [KARMA-082] [KARMA-084] [KARMA-085]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const id = await registry.review('a', 'b', 5, { evidence: ' verbatim \n' });
    const { body } = await registry.get(`/reviews/${id}`);
    assert.deepEqual(Object.keys(body as Review), members);
    assert.equal((body as Review).evidence, ' verbatim \n');
    for (const unknown of [
      '2',
      '999999',
      'abc',
      '0',
      '-1',
      '+1',
      '1.0',
      '1e0',
      '0x1',
      '1'.repeat(30),
      '9007199254740993',
      '9223372036854775808',
      '٣',
    ]) {
      const answer = await registry.get(`/reviews/${encodeURIComponent(unknown)}`);
      const error = { error: `unknown review id: ${unknown}`, see: '/skill.md' };
      assertAnswered(answer, 404, error);
      assert.equal(answer.text, JSON.stringify(error));
    }
  });

  test('nobody changes a review [KARMA-086]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const id = await registry.review('a', 'b', 5);
    const before = await registry.get(`/reviews/${id}`);
    for (const path of ['/reviews', `/reviews/${id}`]) {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const answer = await registry.send(method, path, { rating: 1 });
        assertAnswered(answer, 404, not_found, `${method} ${path}`);
      }
    }
    assertAnswered(await registry.send('POST', `/reviews/${id}`, { rating: 1 }), 404, not_found);
    house.clock.advance(1_000_000);
    await registry.review('a', 'b', 1);
    assert.equal((await registry.get(`/reviews/${id}`)).text, before.text);
  });
});
