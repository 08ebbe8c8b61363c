import assert from 'node:assert/strict';
import { before, it, test } from 'node:test';
import { reviewText } from '@stoa/proof/karma';
import type { Browser, Page } from 'playwright-core';
import vectors from '../../protocol/karma/vectors/karma.json' with { type: 'json' };
import { registryOf } from '../conformance/karma/registry.ts';
import { makeAgent } from '../support/agents.ts';
import { forOneEngine } from '../support/engines.ts';
import { openTestHouse, type TestHouse } from '../support/open-house.ts';
import { openBrowser } from './support/browser.ts';
import {
  assertFits,
  assertWellBuilt,
  faintTexts,
  screens,
  tabThrough,
  visit,
} from './support/visit.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});

const twelve = vectors.histories[0] ?? assert.fail();
const phone = screens[0];
const day_ms = 86_400_000;

/** What would run if it were markup. */
const hostile =
  '</pre><script>window.harmed = true</script><img src=x onerror="window.harmed = true">';
const hostile_id = '"><script>window.harmed = true</script>';

const page = (house: TestHouse, query = '') => `${house.house.origin}/karma/${query}`;
const agentPage = (house: TestHouse, id: string) => page(house, `?agent=${encodeURIComponent(id)}`);

async function assertUnharmed(of: Page): Promise<void> {
  assert.equal(await of.evaluate(() => Object.hasOwn(window, 'harmed')), false);
  assert.equal(await of.locator('script, img[src=x]').count(), 0);
}

/** A registry with a history over some weeks, and texts that are hard to show. */
async function fill(house: TestHouse): Promise<void> {
  const registry = registryOf(house);
  await registry.load(twelve.reviews);
  for (let week = 0; week < 6; week += 1) {
    house.clock.advance(7 * day_ms);
    await registry.review(`client-${week}`, 'summarizer-pro', week === 2 ? 1 : 5);
  }
  await registry.review('a'.repeat(200), 'summarizer-pro', 3, {
    outcome: 'partial',
    task_summary: `${'x'.repeat(300)} مرحبا بكم`,
    evidence: `${hostile}\n${'y'.repeat(400)}\n${'line\n'.repeat(60)}`,
    evidence_url: 'https://e.example/log?a=1&b=2',
  });
  await registry.review('client', '🤖'.repeat(60), 2, { outcome: 'failed' });
}

for (const screen of screens) {
  it(`the pages of karma fit a window of ${screen.width} and are legible and well built, ${screen.colorScheme}`, async () => {
    await using house = await openTestHouse({ engine: 'sqlite' });
    await using tab = await visit(browser, screen);
    assert.equal(await tab.goTo(page(house)), 200);
    assert.match(await tab.textOf('.empty'), /Nobody has been reviewed yet/);
    await fill(house);
    const long_id = `?agent=${'🤖'.repeat(60)}`;
    for (const query of [
      '',
      '?agent=summarizer-pro',
      '?agent=nobody',
      '?agent=nobody%FF',
      long_id,
      '?review=19',
    ]) {
      assert.equal(await tab.goTo(page(house, query)), 200, query);
      await assertFits(tab.page);
      await assertWellBuilt(tab.page);
      assert.deepEqual(await faintTexts(tab.page), [], query);
      await assertUnharmed(tab.page);
    }
    assert.deepEqual(tab.complaints, []);
  });
}

it('the docs show every endpoint and try one out, with nothing from elsewhere [KARMA-129]', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await using tab = await visit(browser, screens[2]);
  assert.equal(await tab.goTo(page(house, 'docs')), 200);
  await tab.page.waitForSelector('.opblock');
  assert.equal(await tab.page.locator('.opblock').count(), 11);
  const health = tab.page.locator('#operations-default-readHealth');
  await health.locator('.opblock-summary-control').click();
  await health.locator('.try-out__btn').click();
  await health.locator('.execute').click();
  const said = health.locator('.live-responses-table .highlight-code').first();
  await said.waitFor();
  assert.match((await said.textContent()) ?? '', /"service": "karma"/);
  assert.deepEqual(tab.complaints, []);
});

it('every link, field and receipt is reached by the keyboard and shows it', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await fill(house);
  await using tab = await visit(browser, phone);
  await tab.goTo(agentPage(house, 'summarizer-pro'));
  const reached = await tabThrough(tab.page);
  const wanted = await tab.page.locator('a, summary, input, button').count();
  assert.equal(reached.length, wanted);
  assert.deepEqual(
    reached.filter(({ is_shown }) => !is_shown),
    [],
  );
});

it('without scripts a person looks an agent up, and reads a receipt that stays text', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  const registry = registryOf(house);
  const id = await registry.review(hostile_id, hostile_id.toUpperCase(), 4, {
    task_summary: hostile,
    evidence: hostile,
    evidence_url: 'javascript:window.harmed = true',
    subject_display_name: hostile.slice(0, 90),
    reviewer_display_name: hostile.slice(0, 90),
  });
  await using tab = await visit(browser, phone, { javaScriptEnabled: false });
  await tab.goTo(page(house));
  await tab.page.fill('#agent', hostile_id.toUpperCase());
  await tab.page.click('button');
  assert.equal(await tab.textOf('h1'), hostile_id.toUpperCase());
  assert.equal(await tab.page.locator('.receipt').isVisible(), false);
  await tab.page.click('summary');
  assert.equal(await tab.textOf('.receipt'), hostile);
  assert.equal(await tab.page.locator('a[href^=javascript]').count(), 0);
  await tab.page.click('a[rel=bookmark]');
  assert.match(tab.page.url(), new RegExp(`review=${id}$`));
  assert.equal(await tab.textOf('.receipt'), hostile);
  assert.deepEqual(tab.complaints, []);

  await using with_scripts = await visit(browser, phone);
  for (const query of [
    '',
    `?agent=${encodeURIComponent(hostile_id.toUpperCase())}`,
    `?review=${id}`,
  ]) {
    await with_scripts.goTo(page(house, query));
    await assertUnharmed(with_scripts.page);
  }
  assert.deepEqual(with_scripts.complaints, []);
});

forOneEngine((engine) => {
  test('the leaderboard has its badges, and an agent’s page its numbers, plot, reviews, replies and pages', async () => {
    await using house = await openTestHouse({ engine });
    await fill(house);
    const registry = registryOf(house);
    const alice = makeAgent('alice');
    const review = {
      reviewer_id: 'alice',
      subject_id: 'summarizer-pro',
      rating: 4,
      outcome: 'succeeded',
      task_summary: 'signed',
      evidence: null,
      evidence_url: null,
    } as const;
    const signature = alice.sign(reviewText(review));
    const posted = await registry.post({ ...review, public_key: alice.public_key, signature });
    assert.equal(posted.status, 201, posted.text);

    await using tab = await visit(browser, screens[2]);
    await tab.goTo(page(house));
    const { agents } = (await registry.get('/leaderboard')).body as {
      agents: { agent_id: string }[];
    };
    const shown = await tab.page.locator('.leader .agent').allTextContents();
    assert.deepEqual(
      shown,
      agents.map(({ agent_id }) => agent_id),
    );
    assert.equal(await tab.page.locator('.leader svg[role=img]').count(), agents.length);
    await tab.page.click('.leader .agent:has-text("summarizer-pro")');
    assert.equal(tab.page.url(), agentPage(house, 'summarizer-pro'));
    const { score, review_count } = await registry.reputation('summarizer-pro');
    const facts = await tab.textOf('.facts');
    assert.ok(facts.includes(`${Number(score).toFixed(2)} of 5`), facts);
    // The twelve came on one day, six on days of their own, two more on the last of these.
    assert.equal(await tab.page.locator('.plot .point').count(), 7);
    assert.match(
      (await tab.page.getAttribute('.plot svg', 'aria-label')) ?? '',
      /^Score from 2026-09-07 to 2026-10-19: 4\.67 at first/,
    );
    assert.equal(await tab.page.locator('.review').count(), Math.min(20, Number(review_count)));
    assert.equal(await tab.page.locator('.review .holds').count(), 1);
    for (let count = 0; count < 20; count += 1) await registry.review('many', 'summarizer-pro');
    await tab.goTo(agentPage(house, 'summarizer-pro'));
    assert.equal(await tab.page.locator('.review').count(), 20);
    await tab.page.click('a[rel=next]');
    assert.equal(await tab.page.locator('.review').count(), Number(review_count));
    assert.equal(await tab.page.locator('a[rel=next]').count(), 0);
    await tab.page.click('a[rel=prev]');
    assert.deepEqual(tab.complaints, []);
    assert.equal(await tab.goTo(page(house, '?review=999')), 404);
    assert.equal(await tab.goTo(page(house, 'nowhere')), 404);
    assert.equal(
      await tab.textOf('.lead'),
      'The address may be mistyped, or what stood here is gone.',
    );
    assert.match(await tab.textOf('.ways'), /Back to karma/);
    assert.equal(await tab.goTo(page(house, '?agent=x&page=0')), 422);
  });
});
