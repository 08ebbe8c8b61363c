import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { engines } from '../support/engines.ts';
import { joinForum } from '../support/forum-accounts.ts';
import { forumOf, openForumHouse } from '../support/forum-api.ts';
import { post, reply } from '../support/forum-posts.ts';
import type { TestHouse } from '../support/open-house.ts';
import { openBrowser } from './support/browser.ts';
import {
  assertFits,
  assertWellBuilt,
  faintTexts,
  screens,
  tabThrough,
  visit,
} from './support/visit.ts';

const engine = engines[0] ?? 'sqlite';
const phone = screens[0];

/** What would run if it were markup. */
const hostile =
  '</p></bdi><script>window.harmed = true</script><img src=x onerror="window.harmed = true">';

let browser: Browser;
let house: TestHouse;
let thread = 0;
before(async () => {
  browser = await openBrowser();
  house = await openForumHouse({ engine });
  thread = await fill(house);
});
after(() => house.close());

/** A forum with threads that are long, foreign and hostile, reports about them, and staff. */
async function fill(filled: TestHouse): Promise<number> {
  const named = { display_name: hostile.slice(0, 80), model_name: hostile.slice(0, 80) };
  const author = await joinForum(filled, 'author', named);
  const other = await joinForum(filled, `other_${'x'.repeat(42)}`, {
    display_name: 'مرحبا \u202eمن',
  });
  await joinForum(filled, 'staff', { role: 'moderator' });
  await joinForum(filled, 'shut_out', { status: 'suspended' });
  await joinForum(filled, 'guest', { tier: 'guest' });
  const root = await post(author, {
    audience: 'public',
    title: 'x'.repeat(180),
    body: `${'y'.repeat(2_000)}\n\n  indented\n${hostile}`,
  });
  await reply(other, root, `${hostile}\nمرحبا بكم في المنتدى`);
  await post(other, { audience: 'public', title: hostile, body: 'z̷̡̛'.repeat(500) });
  for (let count = 0; count < 9; count += 1) {
    await post(author, { audience: 'public', title: `Thread ${count}` }).catch(() => {});
  }
  const reason = `${hostile} ${'r'.repeat(300)}`;
  for (const target of [{ post_id: root.id }, { account_id: other.id }]) {
    const answer = await author.call('POST', '/reports', { body: { ...target, reason } });
    assert.equal(answer.status, 201, answer.text);
  }
  return root.id;
}

const at = (path: string) => `${house.house.origin}/forum${path}`;

async function assertUnharmed(page: Page): Promise<void> {
  assert.equal(await page.evaluate(() => Object.hasOwn(window, 'harmed')), false);
  assert.equal(await page.locator('script, img[src=x]').count(), 0);
}

async function assertGood(page: Page): Promise<void> {
  await assertFits(page);
  await assertWellBuilt(page);
  assert.deepEqual(await faintTexts(page), [], page.url());
  await assertUnharmed(page);
}

const openDetails = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

async function ownerLink(): Promise<string> {
  const answer = await house.fetch('/practice/forum/owner-link', { method: 'POST' });
  return ((await answer.json()) as { url: string }).url;
}

for (const screen of screens) {
  it(`the forum fits a window of ${screen.width} and is legible and well built, ${screen.colorScheme} [FORUM-249]`, async () => {
    house.clock.advance(60_000);
    await using tab = await visit(browser, screen);
    for (const path of ['/', `/p/${thread}`, `/p/${thread}?after=${thread + 1}`, '/?before=1']) {
      assert.equal(await tab.goTo(at(path)), 200, path);
      await assertGood(tab.page);
    }
    assert.equal(await tab.goTo(at('/p/999999')), 404);
    await assertGood(tab.page);
    assert.deepEqual(tab.complaints, []);
  });
}

for (const screen of [screens[0], screens[3]]) {
  it(`the console fits a window of ${screen.width} and is legible and well built, ${screen.colorScheme} [FORUM-265]`, async () => {
    house.clock.advance(60_000);
    await using tab = await visit(browser, screen);
    assert.equal(await tab.goTo(at('/owner')), 401);
    await assertGood(tab.page);
    await tab.goTo(await ownerLink());
    await assertGood(tab.page);
    await tab.page.click('button');
    await tab.page.waitForURL(at('/owner'));
    for (const section of ['', '/accounts', '/reports', '/rules', '/sandbox', '/audit']) {
      assert.equal(await tab.goTo(at(`/owner${section}`)), 200, section);
      await openDetails(tab.page);
      await assertGood(tab.page);
    }
    assert.deepEqual(tab.complaints, []);
  });
}

it('every link and field is reached by the keyboard and shows it', async () => {
  house.clock.advance(60_000);
  await using tab = await visit(browser, phone);
  await tab.goTo(await ownerLink());
  await tab.page.click('button');
  await tab.page.waitForURL(at('/owner'));
  for (const path of [
    '/',
    `/p/${thread}`,
    '/owner',
    '/owner/accounts',
    '/owner/reports',
    '/owner/audit',
  ]) {
    await tab.goTo(at(path));
    await openDetails(tab.page);
    const reached = await tabThrough(tab.page);
    const wanted = await tab.page
      .locator('a, summary, input:not([type=hidden]), select, textarea, button')
      .count();
    // What scrolls may be reached besides.
    assert.ok(reached.length >= wanted, `${path}: ${reached.length} of ${wanted}`);
    assert.deepEqual(
      reached.filter(({ is_shown }) => !is_shown),
      [],
    );
  }
});

it('without scripts a person reads a thread from the front page, and its text stays text [FORUM-247] [FORUM-249]', async () => {
  house.clock.advance(60_000);
  await using tab = await visit(browser, phone, { javaScriptEnabled: false });
  await tab.goTo(at('/'));
  await tab.page.click(`#p${thread} h2 a`);
  assert.equal(tab.page.url(), at(`/p/${thread}`));
  assert.equal(await tab.textOf('h1'), 'x'.repeat(180));
  assert.ok((await tab.textOf('.root .text')).includes(`  indented\n${hostile}`));
  assert.equal(await tab.textOf('.root .author'), hostile.slice(0, 80));
  await tab.page.click('.trail a');
  assert.equal(tab.page.url(), at('/'));
  assert.deepEqual(tab.complaints, []);
});

it('the owner signs in and does the work with the keyboard alone, without scripts [FORUM-259] [FORUM-261] [FORUM-263]', async () => {
  house.clock.advance(60_000);
  const api = forumOf(house);
  await using tab = await visit(browser, phone, { javaScriptEnabled: false });
  const { page } = tab;
  /** Goes on with the Tab key until it stands on what the selector finds. */
  const tabTo = async (selector: string) => {
    const wanted = page.locator(selector).first();
    for (let presses = 0; presses < 200; presses += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`the Tab key does not reach ${selector}`);
  };
  const press = async (selector: string) => {
    await tabTo(selector);
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  };
  await tab.goTo(await ownerLink());
  await press('.enter button');
  assert.equal(page.url(), at('/owner'));
  assert.equal(await tab.textOf('#registration'), 'open');
  await press('form[action$="/registration"] button');
  assert.equal(await tab.textOf('#registration'), 'paused');
  const asked = await api.call('POST', '/challenges', { body: { handle: 'too_late' } });
  assert.equal(asked.body.error.code, 'registration_paused');
  await press('form[action$="/registration"] button');
  assert.equal(await tab.textOf('#registration'), 'open');

  const aide = await joinForum(house, 'aide');
  await press('nav a[href$="/accounts"]');
  await tabTo('#handle');
  await page.keyboard.type('aide');
  await press('.lookup button');
  await tabTo('summary');
  await page.keyboard.press('Enter');
  await tabTo(`#role-${aide.id}`);
  await page.keyboard.type('mod');
  await press('form[action$="/roles"] button');
  assert.equal((await aide.call('GET', '/me')).body.role, 'moderator');

  await tab.goTo(at('/owner/accounts?handle=aide'));
  await tabTo('summary');
  await page.keyboard.press('Enter');
  await tabTo(`#quota-${aide.id}`);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('20971520');
  await press('form[action$="/storage"] button');
  assert.equal((await aide.call('GET', '/me')).body.storage.quota, 20_971_520);

  await tab.goTo(at('/owner/accounts?handle=aide'));
  await tabTo('summary');
  await page.keyboard.press('Enter');
  await tabTo(`#reason-${aide.id}`);
  await page.keyboard.type('for the test');
  await press('form[action$="/accounts"] button.grave');
  assert.equal((await aide.call('GET', '/me')).body.error.code, 'account_suspended');

  await press('nav a[href$="/audit"]');
  const trail = await page.locator('.entry .action').allTextContents();
  assert.deepEqual(trail.slice(0, 5), [
    'account suspended',
    'storage set',
    'role changed',
    'registration resumed',
    'registration paused',
  ]);
  await press('form[action$="/leave"] button');
  assert.equal(page.url(), at('/'));
  assert.equal(await tab.goTo(at('/owner')), 401);
  assert.deepEqual(tab.complaints, []);
});
