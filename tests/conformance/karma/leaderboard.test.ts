import assert from 'node:assert/strict';
import { test } from 'node:test';
import vectors from '../../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { assertAnswered } from '../../support/answers.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { assertInvalid, type Registry, registryOf } from './registry.ts';

const twelve = vectors.histories[0] ?? assert.fail();

type Board = { count: number; agents: { agent_id: string }[] };

async function boardOf(registry: Registry, query = ''): Promise<Board> {
  const answer = await registry.get(`/leaderboard${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Board;
}

forEachEngine((engine) => {
  test('it ranks whoever was reviewed, and nobody else, in an order that ties do not change [KARMA-116] [KARMA-117]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (const [id, ratings] of [
      ['tie-🤖', [4, 4]],
      ['tie-\uffee', [4, 4]],
      ['tie-b', [4, 4]],
      ['tie-a', [4, 4]],
      ['bad', [1, 1, 1]],
      ['four-of-three', [4, 4, 4]],
      ['one', [4]],
      ['best', [5]],
    ] as const) {
      for (const [index, rating] of ratings.entries()) {
        await registry.review(`r${index}`, id, rating);
      }
    }
    const { agents } = await boardOf(registry);
    assert.deepEqual(
      agents.map(({ agent_id }) => agent_id),
      ['best', 'four-of-three', 'tie-a', 'tie-b', 'tie-\uffee', 'tie-🤖', 'one', 'bad'],
    );
  });
});

forOneEngine((engine) => {
  test('the twelve give the example, with exactly its members [KARMA-114] [KARMA-115] [KARMA-120]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.load(twelve.reviews);
    const wanted = twelve.leaderboards.find(({ limit }) => limit === 5) ?? assert.fail();
    const answer = await registry.get('/leaderboard?limit=5');
    assertAnswered(answer, 200, wanted.answer);
    assert.equal(answer.text, JSON.stringify(wanted.answer));
  });

  test('limit is 20 unless said, and from 1 to 100 [KARMA-114] [KARMA-118] [KARMA-119]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (let count = 0; count < 21; count += 1) await registry.review('r', `s${count}`);
    for (const [query, count] of [
      ['', 20],
      ['?limit=1', 1],
      ['?limit=100', 21],
      ['?limit=21&other=1', 21],
    ] as const) {
      const board = await boardOf(registry, query);
      assert.deepEqual([board.count, board.agents.length], [count, count], query);
    }
    for (const value of ['0', '101', '-1', '', 'abc', '1.5', '1&limit=1']) {
      const answer = await registry.get(`/leaderboard?limit=${value}`);
      assertInvalid(answer, [['query', 'limit']], value);
    }
  });
});
