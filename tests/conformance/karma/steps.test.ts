import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import document from '../../../protocol/karma/vectors/document.json' with { type: 'json' };
import vectors from '../../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { documented, karma_base, registryOf } from './registry.ts';

const run = promisify(execFile);
const twelve = vectors.histories[0] ?? assert.fail();
const prefixes = new Set(['trusted', 'mixed', 'avoid', 'low confidence', 'unknown']);
const with_examples = {
  rooms: {
    karma: {
      is_mounted: true,
      settings: { self_reviews: 'refuse', example_reviews: true, trusted_seeds: [] },
    },
  },
};

/** An answer as the document prints it: without what stands beside it, and without the instant. */
function asPrinted(value: unknown, printed: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one, index) => asPrinted(one, (printed as unknown[])[index]));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries('signals' in value ? documented(value) : value);
  const wanted = (printed ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    members.flatMap(([name, member]) => {
      if (name === 'created_at') return [[name, wanted[name]]];
      // The document's list leaves the receipts out (D-KARMA-15).
      if (name === 'evidence' && !(name in wanted)) return [];
      return [[name, asPrinted(member, wanted[name])]];
    }),
  );
}

forEachEngine((engine) => {
  test('the document’s own commands, run in a shell on its example history, give its example answers', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'], config: with_examples });
    const base = house.house.listening + karma_base;
    for (const { command, answer } of document.commands) {
      const { stdout } = await run('sh', ['-c', command.replaceAll('{base}', base)]);
      if (typeof answer === 'string') assert.ok(stdout.startsWith(answer), stdout);
      else assert.deepEqual(asPrinted(JSON.parse(stdout), answer), answer, command);
    }
    // They are stored where nobody has spoken yet, once.
    await house.restart();
    const { body } = await registryOf(house).get('/reviews/14');
    assert.deepEqual(body, { error: 'unknown review id: 14', see: '/skill.md' });
    for (const [index, wanted] of twelve.reviews.entries()) {
      const review = (await registryOf(house).get(`/reviews/${index + 1}`)).body as object;
      const {
        reviewer_display_name: _,
        subject_display_name: __,
        ...shown
      } = {
        reviewer_display_name: undefined,
        subject_display_name: undefined,
        ...wanted,
      };
      assert.deepEqual({ ...review, ...shown }, review);
    }
  });
});

forOneEngine((engine) => {
  test('the eight steps work for who knows the text for agents alone [KARMA-130] [KARMA-131]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    await registry.load(twelve.reviews);
    const manual = await registry.get('/skill.md');
    const base = /^Base URL: (\S+)$/m.exec(manual.text)?.[1] ?? assert.fail();
    const ask = async (path: string) => {
      const answer = await fetch(base + path);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    assert.equal((await ask('/health')).body.status, 'ok');
    assert.equal((await ask('/agents/nobody-yet/reputation')).status, 404);
    const prefixOf = (of: unknown) =>
      String((of as { recommendation: string }).recommendation).split(':')[0];
    const known = await ask('/agents/summarizer-pro/reputation');
    assert.equal(prefixOf(known.body), 'trusted');
    assert.ok(Number(known.body.confidence) >= 0.5);
    const board = (await ask('/leaderboard')).body.agents as { agent_id: string }[];
    const ids = board.map(({ agent_id }) => agent_id);
    const choice = (await ask(`/choose?candidates=${ids.join(',')},nobody-yet`)).body;
    assert.equal(choice.chosen, 'summarizer-pro');
    const rows = choice.ranking as unknown[];
    assert.ok(rows.length === 6 && rows.every((row) => prefixes.has(prefixOf(row) ?? '')));
    for (const id of ids) {
      assert.ok(prefixes.has(prefixOf((await ask(`/agents/${id}/reputation`)).body) ?? ''));
    }
    const posted = await fetch(`${base}/reviews`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        reviewer_id: 'me',
        subject_id: 'summarizer-pro',
        rating: 4,
        outcome: 'succeeded',
        evidence: 'the work itself',
      }),
    });
    assert.equal(posted.status, 201);
    const list = (await ask('/agents/summarizer-pro/reviews')).body as unknown as { id: number }[];
    const review = (await ask(`/reviews/${list[0]?.id}`)).body;
    assert.deepEqual([review.reviewer_id, review.evidence], ['me', 'the work itself']);
  });

  test('receipts change no score [KARMA-132]', async () => {
    const numbers = [];
    for (const evidence of [null, 'a receipt']) {
      await using house = await openTestHouse({ engine, rooms: ['karma'] });
      const registry = registryOf(house);
      await registry.load(twelve.reviews.map((review) => ({ ...review, evidence })));
      const ids = twelve.reputations.map(({ agent_id }) => agent_id);
      numbers.push(await Promise.all(ids.map((id) => registry.reputation(id))));
    }
    assert.deepEqual(numbers[0], numbers[1]);
  });
});
