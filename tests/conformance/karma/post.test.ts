import assert from 'node:assert/strict';
import { test } from 'node:test';
import vectors from '../../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { assertAnswered } from '../../support/answers.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { createDatabase } from '../../support/postgres.ts';
import { startServer } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  assertInvalid,
  behind_proxy,
  fromAddress,
  karma_base,
  type Registry,
  registryOf,
  reviewBody,
  unknownAgent,
} from './registry.ts';

const twelve = vectors.histories[0] ?? assert.fail();

/** Asserts that nobody has written or read anything: no agent, no review, the next id is still 1. */
async function assertEmpty(registry: Registry): Promise<void> {
  assertAnswered(await registry.get('/leaderboard'), 200, { count: 0, agents: [] });
  for (const id of ['a', 'b']) {
    assertAnswered(await registry.get(`/agents/${id}/reputation`), 404, unknownAgent(id));
  }
  assert.equal((await registry.get('/reviews/1')).status, 404);
}

forEachEngine((engine) => {
  test('an accepted review answers exactly its id and subject, from 1, and 13 after the twelve [KARMA-034] [KARMA-035]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const first = await registry.post(reviewBody());
    const wanted = { ok: true, review_id: 1, subject_id: 'b', message: 'review stored for b' };
    assertAnswered(first, 201, wanted);
    assert.equal(first.text, JSON.stringify(wanted));

    await using other = await openTestHouse({ engine, rooms: ['karma'] });
    const full = registryOf(other);
    await full.load(twelve.reviews);
    // A refused one takes no id.
    assert.equal((await full.post(reviewBody({ rating: 0 }))).status, 422);
    assertAnswered(await full.post(reviewBody({ subject_id: 'summarizer-pro' })), 201, {
      ok: true,
      review_id: 13,
      subject_id: 'summarizer-pro',
      message: 'review stored for summarizer-pro',
    });
  });

  test('what is missing, null or of another kind is refused with its place, and leaves nothing [KARMA-036] [KARMA-037] [KARMA-038] [KARMA-039] [KARMA-047] [KARMA-055]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const refuse = async (field: string, value: unknown, type?: string) => {
      const answer = await registry.post(reviewBody({ [field]: value }));
      const [fault] = assertInvalid(answer, [['body', field]], `${field}: ${value}`);
      if (type) assert.equal((fault as { type?: string }).type, type);
    };
    for (const field of ['reviewer_id', 'subject_id', 'rating', 'outcome']) {
      await refuse(field, undefined, 'missing');
      await refuse(field, null);
    }
    for (const rating of [0, -1]) await refuse('rating', rating, 'greater_than_equal');
    await refuse('rating', 6, 'less_than_equal');
    for (const rating of [4.5, '5', true, null, [5], 1e300]) await refuse('rating', rating);
    for (const outcome of ['meh', 'Succeeded', 'succeeded ', '', null, 1, ['failed']]) {
      await refuse('outcome', outcome, 'literal_error');
    }
    for (const field of [
      'task_summary',
      'evidence',
      'evidence_url',
      'reviewer_display_name',
      'subject_display_name',
    ]) {
      for (const value of [7, ['x'], { a: 1 }, true]) await refuse(field, value, 'string_type');
    }
    await assertEmpty(registry);
    for (const rating of [1, 5])
      assert.equal((await registry.post(reviewBody({ rating }))).status, 201);
    for (const outcome of ['succeeded', 'failed', 'partial']) {
      assert.equal((await registry.post(reviewBody({ outcome }))).status, 201);
    }
  });

  test('evidence comes back as it was sent [KARMA-048]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (const evidence of [
      'line 1\r\n\tline 2 "quoted" <b> cafe\u0301 🌍  ',
      '\u0001\u001f\u007f\ufeff\u200b\u202e',
      '\\u0041 \\n {"a":1}',
      '',
    ]) {
      const id = await registry.review('a', 'b', 3, { evidence });
      const { body } = await registry.get(`/reviews/${id}`);
      assert.equal((body as { evidence: string }).evidence, evidence);
    }
  });

  test('the last display name that was given stands, and null clears none [KARMA-049]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const name = async (id: string) => (await registry.reputation(id)).display_name;
    await registry.review('a', 'b');
    assert.equal(await name('b'), null);
    await registry.review('a', 'b', 3, {
      subject_display_name: 'First',
      reviewer_display_name: 'A',
    });
    assert.deepEqual([await name('b'), await name('a')], ['First', 'A']);
    await registry.review('c', 'b', 3, { subject_display_name: null });
    await registry.review('c', 'b');
    assert.equal(await name('b'), 'First');
    await registry.review('c', 'b', 3, { subject_display_name: 'Second' });
    await registry.review('b', 'c', 3, { reviewer_display_name: '' });
    assert.equal(await name('b'), '');
  });

  test('lone surrogates and U+0000 are refused in every text [KARMA-051]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (const field of [
      'reviewer_id',
      'subject_id',
      'task_summary',
      'evidence',
      'evidence_url',
      'reviewer_display_name',
      'subject_display_name',
    ]) {
      for (const bad of ['\\ud800', 'x\\udfff', '\\ude00\\ud83d', 'a\\u0000b']) {
        const body = JSON.stringify(reviewBody({ [field]: '?' })).replace('?', bad);
        const [fault] = assertInvalid(await registry.post(body), [['body', field]], bad);
        assert.equal((fault as { type?: string }).type, 'string_unicode');
      }
    }
    await assertEmpty(registry);
  });

  test('the same body twice is two reviews, and thirty at once are thirty [KARMA-056] [KARMA-057]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'], config: behind_proxy });
    const registry = registryOf(house);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => registry.post(reviewBody(), fromAddress(index))),
    );
    assert.ok(answers.every(({ status }) => status === 201));
    const ids = answers.map(({ body }) => (body as { review_id: number }).review_id);
    assert.equal(new Set(ids).size, 30);
    assert.equal((await registry.reputation('b')).review_count, 30);
  });

  test('a review that was answered is there after the process was killed [KARMA-058]', async () => {
    const folder = temporaryFolder();
    const database = engine === 'postgres' ? await createDatabase() : undefined;
    const options = {
      folder: folder.path,
      flags: ['--log-level', 'warn'],
      ...(database ? { database_url: database.url } : {}),
    };
    try {
      const post = async (base: string, rating: number) => {
        const body = JSON.stringify(reviewBody({ rating }));
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`${base}/karma/reviews`, { method: 'POST', headers, body });
        return (await answer.json()) as { review_id: number };
      };
      {
        await using server = await startServer(options);
        assert.equal((await post(server.base, 5)).review_id, 1);
        assert.equal((await post(server.base, 4)).review_id, 2);
        await server.kill('SIGKILL');
      }
      await using server = await startServer(options);
      assert.equal((await post(server.base, 3)).review_id, 3);
      const answer = await fetch(`${server.base}/karma/agents/b/reputation`);
      const { score, review_count } = (await answer.json()) as Record<string, number>;
      assert.deepEqual([score, review_count], [4, 3]);
    } finally {
      folder.remove();
      await database?.drop();
    }
  });
});

forOneEngine((engine) => {
  test('every wrong field is listed, each once, in the order of the document', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const all = await registry.post({
      subject_display_name: 'x'.repeat(201),
      evidence: '\ud800',
      reviewer_id: '',
      rating: 9,
      outcome: 'meh',
    });
    assertInvalid(all, [
      ['body', 'reviewer_id'],
      ['body', 'subject_id'],
      ['body', 'rating'],
      ['body', 'outcome'],
      ['body', 'evidence'],
      ['body', 'subject_display_name'],
    ]);
    const { detail } = all.body as { detail: unknown[] };
    assert.deepEqual(detail.slice(0, 4), [
      {
        type: 'string_too_short',
        loc: ['body', 'reviewer_id'],
        msg: 'String should have at least 1 character',
      },
      { type: 'missing', loc: ['body', 'subject_id'], msg: 'Field required' },
      {
        type: 'less_than_equal',
        loc: ['body', 'rating'],
        msg: 'Input should be less than or equal to 5',
      },
      {
        type: 'literal_error',
        loc: ['body', 'outcome'],
        msg: "Input should be 'succeeded', 'failed' or 'partial'",
      },
    ]);
  });

  test('texts pass at their length and fail beyond it, in code points [KARMA-040] [KARMA-041] [KARMA-042] [KARMA-043] [KARMA-044] [KARMA-045]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const lengths = {
      reviewer_id: 200,
      subject_id: 200,
      task_summary: 1_000,
      evidence: 10_000,
      evidence_url: 500,
      reviewer_display_name: 200,
      subject_display_name: 200,
    };
    for (const [field, length] of Object.entries(lengths)) {
      for (const character of ['x', '🤖']) {
        const fits = await registry.post(reviewBody({ [field]: character.repeat(length) }));
        assert.equal(fits.status, 201, field);
        const beyond = await registry.post(reviewBody({ [field]: character.repeat(length + 1) }));
        const [fault] = assertInvalid(beyond, [['body', field]]);
        assert.equal(fault?.msg, `String should have at most ${length} characters`);
      }
    }
    for (const field of ['reviewer_id', 'subject_id']) {
      assertInvalid(await registry.post(reviewBody({ [field]: '' })), [['body', field]]);
      assert.equal((await registry.post(reviewBody({ [field]: 'y' }))).status, 201);
    }
  });

  test('what may be left out may be null, and what nobody asked for is passed over [KARMA-046] [KARMA-052]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const nulls = {
      task_summary: null,
      evidence: null,
      evidence_url: null,
      reviewer_display_name: null,
      subject_display_name: null,
    };
    for (const more of [{}, nulls, { note: 'x', id: 7, created_at: 'never', __proto__x: 1 }]) {
      const id = await registry.review('a', 'b', 3, more);
      const review = (await registry.get(`/reviews/${id}`)).body as Record<string, unknown>;
      assert.deepEqual(
        [review.task_summary, review.evidence, review.evidence_url, review.id],
        ['', null, null, id],
      );
      assert.equal(Object.keys(review).length, 9);
    }
  });

  test('a body that is no JSON object of UTF-8 is refused as a whole [KARMA-050]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const good = JSON.stringify(reviewBody());
    for (const body of [
      '',
      'no JSON',
      '{"reviewer_id":"a"',
      '[]',
      'null',
      '7',
      '"text"',
      `\ufeff${good}`,
      `${good}x`,
      Uint8Array.of(0x7b, 0xff, 0x7d),
      `{"padding":"${'x'.repeat(262_144)}"}`,
    ]) {
      assertInvalid(await registry.post(body), [['body']], String(body).slice(0, 20));
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      assertInvalid(await registry.post(good, { 'content-type': type }), [['body']], type);
    }
    await assertEmpty(registry);
    for (const type of [
      'application/json; charset=utf-8',
      'application/vnd.review+json',
      'APPLICATION/JSON',
    ]) {
      assert.equal((await registry.post(good, { 'content-type': type })).status, 201, type);
    }
    const without = new TextEncoder().encode(good);
    const answer = await house.fetch(`${karma_base}/reviews`, { method: 'POST', body: without });
    assert.equal(answer.status, 201);
  });

  test('nobody reviews itself, unless the operator says so; then it counts like any other [KARMA-053] [KARMA-054]', async () => {
    const own = reviewBody({ reviewer_id: 'b', rating: 5 });
    {
      await using house = await openTestHouse({ engine, rooms: ['karma'] });
      const registry = registryOf(house);
      const [fault] = assertInvalid(await registry.post(own), [['body', 'subject_id']]);
      assert.equal(fault?.msg, 'reviewer_id and subject_id must differ');
      await assertEmpty(registry);
      assert.equal((await registry.post({ ...own, reviewer_id: 'B' })).status, 201);
    }
    const settings = { self_reviews: 'accept', example_reviews: false, trusted_seeds: [] };
    const rooms = { karma: { is_mounted: true, settings } };
    await using house = await openTestHouse({ engine, rooms: ['karma'], config: { rooms } });
    const registry = registryOf(house);
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await registry.post(own)).status, 201);
    }
    await registry.review('other', 'b', 1);
    const { score, review_count } = await registry.reputation('b');
    // Three own reviews at log10(5), one at 0.1.
    const weight = 3 * Math.log10(5);
    const wanted = Math.round(((5 * weight + 0.1) / (weight + 0.1)) * 1_000) / 1_000;
    assert.deepEqual([score, review_count], [wanted, 4]);
    assert.match((await registry.get('/skill.md')).text, /A review of yourself is taken/);
  });

  test('the vectors’ refused and accepted reviews get their answers [KARMA-059]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (const { id, because, loc, status, ...sent } of vectors.refusedReviews) {
      const body = 'bodyText' in sent ? (sent.bodyText ?? '') : sent.body;
      const answer = await registry.post(body ?? '');
      assert.equal(answer.status, status, id);
      assertInvalid(answer, [loc], `${id}: ${because}`);
    }
    await assertEmpty(registry);
    for (const { id, because, body, status } of vectors.acceptedReviews) {
      const answer = await registry.post(body);
      assert.equal(answer.status, status, `${id}: ${because}: ${answer.text}`);
    }
  });
});
