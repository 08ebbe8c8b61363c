import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidates_max, ranked_at_once } from '../limits.ts';
import { rank } from './rank.ts';

test('rank lets others have their turn while it looks at many long posts', async () => {
  const body_runs = 'one two '.repeat(1_500).trim();
  const candidates = Array.from({ length: candidates_max }, (_, at) => ({
    ...{ id: candidates_max - at, title_runs: at === 400 ? 'one' : 'none', body_runs },
  }));
  const words = ['one', 'two'].map((word) => ({ word: [word], posts: 1 }));
  let is_over = false;
  let turns = 0;
  const others = async () => {
    while (!is_over) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
  };
  const asked = others();
  const best = await rank(candidates, words, { limit: 3, posts_max: 4_000 });
  is_over = true;
  await asked;
  assert.ok(turns >= Math.floor(candidates_max / ranked_at_once), `${turns} turns`);
  assert.deepEqual(
    best.map(({ id }) => id),
    [candidates_max - 400, candidates_max, candidates_max - 1],
  );
});
