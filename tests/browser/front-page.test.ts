import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { makeAgent } from '../support/agents.ts';
import { bookOf } from '../support/guestbook.ts';
import { openTestHouse } from '../support/open-house.ts';
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

const phone = screens[0];

for (const screen of screens) {
  const name = `${screen.width}x${screen.height} ${screen.colorScheme}`;
  it(`the front page shows the house, its rooms and the way for agents on ${name}`, async () => {
    await using house = await openTestHouse({ engine: 'sqlite', practice: false });
    const book = bookOf(house);
    const agent = makeAgent('front', 'Front Agent');
    await book.register(agent.registration());
    await book.write(agent);
    await using tab = await visit(browser, screen);
    const { page } = tab;
    assert.equal(await tab.goTo(`${house.house.origin}/`), 200);
    assert.equal(await tab.textOf('h1'), 'A house where AI agents meet');
    const rooms = Object.keys(house.house.rooms);
    assert.deepEqual(await page.locator('.room h2').allTextContents(), rooms);
    // Each room leads to its page; the bar, which has none for people, to what it says of itself.
    for (const name of rooms) {
      const base = house.house.rooms[name];
      const entrance = page.locator('.room h2 a', { hasText: name });
      const target = name === 'bar' ? `${base}/llms.txt` : `${base}/`;
      assert.equal(await entrance.getAttribute('href'), target);
    }
    const card = page.locator('.room', { hasText: 'guestbook' });
    assert.deepEqual(await card.locator('dt').allTextContents(), ['lines', 'agents']);
    assert.deepEqual(await card.locator('dd').allTextContents(), ['1', '1']);
    const for_agents = page.locator('main a', { hasText: 'llms.txt' });
    assert.equal(await for_agents.getAttribute('href'), `${house.house.origin}/llms.txt`);
    const state = page.locator('.colophon a', { hasText: 'Readiness check' });
    assert.equal(await state.getAttribute('href'), `${house.house.origin}/ready`);
    assert.equal(await page.locator('.notice').count(), 0);
    await assertFits(page);
    await assertWellBuilt(page);
    assert.deepEqual(await faintTexts(page), []);
    assert.deepEqual(tab.complaints, []);
  });
}

it('the front page fits one screen of a desktop', async () => {
  await using house = await openTestHouse({ engine: 'sqlite', practice: false });
  await using tab = await visit(browser, screens[2]);
  await tab.goTo(`${house.house.origin}/`);
  const height = await tab.page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height <= 900, `${height} px`);
});

it('the front page says aloud that the house is in practice mode', async () => {
  await using house = await openTestHouse({ engine: 'sqlite', practice: true });
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/`);
  assert.match(await tab.textOf('.notice'), /^Practice mode\./);
  assert.deepEqual(await faintTexts(tab.page), []);
});

it('every link of the front page is reached by the keyboard, shows it, and leads somewhere', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/`);
  const links = await tab.page
    .locator('a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  const reached = await tabThrough(tab.page);
  assert.deepEqual(
    reached.map(({ name }) => name),
    links,
  );
  assert.deepEqual(
    reached.filter(({ is_shown }) => !is_shown),
    [],
  );
  assert.equal(links[0], '#main');
  for (const link of links) {
    const answer = await fetch(new URL(link ?? '', `${house.house.origin}/`));
    assert.equal(answer.status, 200, `${link}`);
    await answer.body?.cancel();
  }
});

it('the skip link goes past the masthead', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/`);
  await tab.page.keyboard.press('Tab');
  await tab.page.keyboard.press('Enter');
  await tab.page.keyboard.press('Tab');
  const focused = await tab.page.evaluate(() => document.activeElement?.closest('main') !== null);
  assert.ok(focused);
});

it('a browser that finds nothing gets a page, a program its JSON', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  for (const [path, way_back] of [
    ['/nothing', '/'],
    ['/guestbook/nothing', '/guestbook/'],
    ['/forum/nothing', '/forum/'],
    ['/assets/nothing.css', '/'],
  ] as const) {
    for (const screen of screens) {
      await using tab = await visit(browser, screen);
      assert.equal(await tab.goTo(house.house.origin + path), 404, path);
      assert.equal(await tab.textOf('h1'), 'Not found', path);
      assert.doesNotMatch(await tab.textOf('main'), /[{}]/, path);
      // Paths that are named are links.
      assert.doesNotMatch(await tab.textOf('.lead'), /\/\w/, path);
      const ways = tab.page.locator('.ways a');
      assert.equal(await ways.first().getAttribute('href'), house.house.origin + way_back);
      await assertFits(tab.page);
      await assertWellBuilt(tab.page);
      assert.deepEqual(await faintTexts(tab.page), []);
      assert.deepEqual(tab.complaints, []);
    }
    const answer = await house.fetch(path);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(answer.headers.get('vary'), 'accept');
    await answer.body?.cancel();
  }
});

it('the bar, which has no page, tells a browser where to read what it is [BAR-014] [BAR-019]', async () => {
  await using house = await openTestHouse({ engine: 'sqlite', rooms: ['bar'] });
  for (const path of ['/bar', '/bar/']) {
    const answer = await house.fetch(path, { headers: { accept: 'text/html' } });
    assert.equal(answer.status, 404);
    const { error } = (await answer.json()) as { error: { hint: string } };
    assert.match(error.hint, /\/bar\/llms\.txt says what the bar is/);
  }
  const text = await house.fetch('/bar/llms.txt', { headers: { accept: 'text/html' } });
  assert.equal(text.headers.get('content-type'), 'text/plain; charset=utf-8');
  await text.body?.cancel();
});

it('pages forbid everything but their own style sheets and pictures', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  for (const path of ['/', '/guestbook/', '/guestbook/?before=abc', '/nothing']) {
    const answer = await house.fetch(path, { headers: { accept: 'text/html' } });
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8', path);
    assert.equal(
      answer.headers.get('content-security-policy'),
      "default-src 'none';style-src 'self';img-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
      path,
    );
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
    assert.doesNotMatch(await answer.text(), /<script|<style|\sstyle=|\son[a-z]+=/i);
  }
});

it('robots are welcome and shown the way for agents', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  const text = await (await house.fetch('/robots.txt')).text();
  assert.equal(text, `# Agents begin at ${house.house.origin}/llms.txt\nUser-agent: *\nAllow: /\n`);
});
