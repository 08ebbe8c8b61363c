import assert from 'node:assert/strict';
import { test } from 'node:test';
import vectors from '../../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { assertAnswered } from '../../support/answers.ts';
import { forEachEngine, forOneEngine } from '../../support/engines.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';
import { requestWith } from '../../support/raw-http.ts';
import {
  assertInvalid,
  behind_proxy,
  fromAddress,
  karma_base,
  type Registry,
  registryOf,
  reviewBody,
} from './registry.ts';

const { limit, answer: refused } = vectors.rateLimit;
type Headers = Readonly<Record<string, string>>;

/** Posts until it is refused, `posts_max` times at most; answers how many passed. */
async function passing(registry: Registry, posts_max = 40, headers: Headers = {}): Promise<number> {
  for (let count = 0; count < posts_max; count += 1) {
    const answer = await registry.post(reviewBody({ reviewer_id: `r${count}` }), headers);
    if (answer.status === 201) continue;
    assertAnswered(answer, 429, refused);
    return count;
  }
  return posts_max;
}

/** Limiter rows or keys of this house. */
async function keptClients({ house, engine }: TestHouse): Promise<number> {
  if (engine === 'sqlite') return house.deps.limits.keyCount();
  const rows = await house.deps.read.selectFrom('limit_window').selectAll().execute();
  return rows.length;
}

forEachEngine((engine) => {
  test('the thirtieth review in ten minutes passes, the next says so exactly, and when to come back [KARMA-060] [KARMA-061]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    assert.equal(limit, 30);
    assert.equal(await passing(registry), 30);
    const answer = await registry.post(reviewBody());
    assert.equal(answer.text, JSON.stringify(refused));
    assert.equal(answer.headers.get('retry-after'), '601');
    house.clock.advance(100_500);
    const later = await registry.post(reviewBody());
    assert.equal(later.headers.get('retry-after'), '500');
  });

  test('a client whose window is over is forgotten [KARMA-071]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'], config: behind_proxy });
    const registry = registryOf(house);
    for (let index = 0; index < 40; index += 1) {
      assert.equal((await registry.post(reviewBody(), fromAddress(index))).status, 201);
    }
    assert.equal(await keptClients(house), 40);
    let tries_left = 500;
    house.clock.advance(601_000);
    while ((await keptClients(house)) > 0 && tries_left > 0) {
      tries_left -= 1;
      house.clock.advance(10_000);
      await registry.get('/health');
    }
    assert.equal(await keptClients(house), 0);
  });
});

forOneEngine((engine) => {
  test('the window slides: places come back one by one, at the last all of them [KARMA-062] [KARMA-063]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (let count = 0; count < 30; count += 1) {
      await registry.review('a', 'b');
      house.clock.advance(10_000);
    }
    // 300 seconds are over; the first review is 601 seconds old after 301 more.
    house.clock.advance(300_000);
    assert.equal(await passing(registry, 1), 0);
    house.clock.advance(1_000);
    assert.equal(await passing(registry), 1);
    house.clock.advance(601_000);
    assert.equal(await passing(registry), 30);
  });

  test('what is refused counts for nothing, and a body is looked at before the limit [KARMA-064] [KARMA-065]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (let count = 0; count < 40; count += 1) {
      assertInvalid(await registry.post(reviewBody({ rating: 0 })), [['body', 'rating']]);
    }
    assert.equal(await passing(registry), 30);
    house.clock.advance(300_000);
    for (let count = 0; count < 40; count += 1) {
      assert.equal((await registry.post(reviewBody())).status, 429);
    }
    assertInvalid(await registry.post(reviewBody({ rating: 0 })), [['body', 'rating']]);
    house.clock.advance(301_000);
    assert.equal(await passing(registry), 30);
  });

  test('a client is its address, over all its connections and whatever it says of itself [KARMA-066] [KARMA-067]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const post = (index: number) =>
      requestWith(house, `${karma_base}/reviews`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `203.0.113.${index}`,
          forwarded: `for=203.0.113.${index}`,
          'x-real-ip': `203.0.113.${index}`,
        },
        body: JSON.stringify(reviewBody({ reviewer_id: `claims to be ${index}` })),
      });
    for (let index = 0; index < 30; index += 1) assert.equal((await post(index)).status, 201);
    assertAnswered(await post(30), 429, refused);
  });

  test('behind a proxy the client is the address that the proxy saw; an IPv6 /64 is one client [KARMA-068] [KARMA-069]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['karma'],
      config: { trust_proxy: 2 },
    });
    const registry = registryOf(house);
    const from = (list: string) => ({ 'x-forwarded-for': list });
    let claimed = 0;
    for (; claimed < 30; claimed += 1) {
      const headers = from(`1.1.1.${claimed}, 203.0.113.7, 10.0.0.${claimed}`);
      assert.equal((await registry.post(reviewBody(), headers)).status, 201);
    }
    assert.equal((await registry.post(reviewBody(), from('203.0.113.7, 10.0.0.1'))).status, 429);
    assert.equal((await registry.post(reviewBody(), from('203.0.113.8, 10.0.0.1'))).status, 201);
    for (let count = 0; count < 30; count += 1) {
      const headers = from(`2001:db8:0:1::${count.toString(16)}, 10.0.0.1`);
      assert.equal((await registry.post(reviewBody(), headers)).status, 201);
    }
    const same = from('2001:db8:0:1:ffff::1, 10.0.0.1');
    assert.equal((await registry.post(reviewBody(), same)).status, 429);
    const other = from('2001:db8:0:2::1, 10.0.0.1');
    assert.equal((await registry.post(reviewBody(), other)).status, 201);
  });

  test('reading is never limited [KARMA-070]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    assert.equal(await passing(registry), 30);
    const paths = [
      '/health',
      '/agents/b/reputation',
      '/agents/b/reviews?limit=1',
      '/agents/b/badge.svg',
      '/reviews/1',
      '/choose?candidates=a,b',
      '/leaderboard',
      '/skill.md',
    ];
    for (let count = 0; count < 1_000; count += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          registry.get(paths[(count + index) % paths.length] ?? ''),
        ),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    }
    assert.equal(await passing(registry), 0);
  });
});
