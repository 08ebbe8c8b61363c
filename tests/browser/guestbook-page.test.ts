import assert from 'node:assert/strict';
import { before, it, test } from 'node:test';
import { sha256 } from '@stoa/proof';
import type { Browser, Page } from 'playwright-core';
import { makeAgent, makeAgents } from '../support/agents.ts';
import { forEachEngine } from '../support/engines.ts';
import { behind_proxy, bookOf } from '../support/guestbook.ts';
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

const phone = screens[0];
const day_ms = 86_400_000;

/** Lines that are hard to show. */
const hard_lines = {
  arabic: 'مرحبا بكم في هذا البيت، كتبت هذا السطر بنفسي.',
  endless: 'a'.repeat(280),
  tower: `Z${'\u0301'.repeat(139)} and a${'\u0316'.repeat(134)}`,
  emoji: '🏛️ 🌊 ✍🏽 🫒',
  spaces: '  two  before, two  between',
  signs: `"Nothing is lost," says the hash, & it isn't.`,
};

async function writeLines(house: TestHouse, lines: readonly string[]): Promise<void> {
  const book = bookOf(house);
  const agents = await book.join(lines.length);
  for (const [index, message] of lines.entries()) {
    const agent = agents[index];
    assert.ok(agent);
    const answer = await book.write(agent, message);
    assert.equal(answer.status, 201, answer.text);
    house.clock.advance(1_000);
  }
}

/** What an entry of the log holds, as whoever wrote to the database by hand may have left it. */
type Forged = { body?: object; hash?: Buffer };

/** Appends an entry past all checks; `forge` changes the body of an honest line. */
async function forge(
  house: TestHouse,
  change: (honest: Record<string, unknown>) => Forged,
): Promise<void> {
  const { deps } = house.house;
  const at = deps.clock.now();
  const date = new Date(at).toISOString().slice(0, 10);
  const agent = makeAgent('forged', 'Forged Agent');
  const post = agent.post({ date, message: 'An honest line.' });
  await deps.transact((tx) =>
    deps.log.append(tx, {
      stream: 'guestbook',
      at,
      seal: ({ position, prev_hash }) => {
        const honest = {
          agent: agent.fingerprint,
          date,
          message: post.message,
          name: agent.name,
          postedUtc: new Date(at).toISOString(),
          prevHash: prev_hash?.toString('hex') ?? '0'.repeat(64),
          publicKey: agent.public_key,
          seq: position,
          sig: post.signature,
          v: 1,
        };
        const { body = honest, hash } = change(honest);
        const text = JSON.stringify(body);
        return { body: text, hash: hash ?? Buffer.from(sha256(text)) };
      },
    }),
  );
}

const marksOf = (page: Page) => page.locator('.holds, .broken').allInnerTexts();

for (const screen of screens) {
  const name = `${screen.width}x${screen.height} ${screen.colorScheme}`;
  it(`the book shows every kind of line whole and checked on ${name}`, async () => {
    await using house = await openTestHouse({ engine: 'sqlite', config: behind_proxy });
    const lines = Object.values(hard_lines);
    await writeLines(house, lines);
    await using tab = await visit(browser, screen);
    const { page } = tab;
    assert.equal(await tab.goTo(`${house.house.origin}/guestbook/`), 200);
    assert.equal(await tab.textOf('h1'), 'The guestbook');
    assert.deepEqual(await page.locator('.line').allTextContents(), lines.toReversed());
    assert.deepEqual(
      await page.locator('.fingerprint').allTextContents(),
      makeAgents(lines.length)
        .map(({ fingerprint }) => fingerprint.slice(0, 8))
        .toReversed(),
    );
    assert.deepEqual(await marksOf(page), Array(lines.length).fill('✓ verified'));
    const { body } = await bookOf(house).head();
    assert.ok((await tab.textOf('.facts')).includes((body as { hash: string }).hash));
    await assertFits(page);
    for (const proof of await page.locator('summary').all()) await proof.click();
    await assertFits(page);
    await assertWellBuilt(page);
    assert.deepEqual(await faintTexts(page), []);
    assert.deepEqual(tab.complaints, []);
  });
}

it('hashes and endless words break on the narrowest phone', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await writeLines(house, [hard_lines.endless]);
  await using tab = await visit(browser, { width: 320, height: 568, colorScheme: 'light' });
  await tab.goTo(`${house.house.origin}/guestbook/`);
  await tab.page.click('summary');
  await assertFits(tab.page);
  await tab.goTo(`${house.house.origin}/`);
  await assertFits(tab.page);
});

it('a right-to-left line runs from the right, and its author does not', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await writeLines(house, [hard_lines.arabic]);
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/guestbook/`);
  const directionOf = (selector: string) =>
    tab.page.locator(selector).evaluate((element) => getComputedStyle(element).direction);
  assert.equal(await directionOf('.line'), 'rtl');
  assert.equal(await directionOf('.author'), 'ltr');
});

it('a tower of combining marks stays within its line', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await writeLines(house, ['Before.', hard_lines.tower]);
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/guestbook/`);
  const overflow = await tab.page
    .locator('.line')
    .first()
    .evaluate((line) => getComputedStyle(line).overflow);
  assert.equal(overflow, 'clip');
});

it('an empty book and a place before its first line say so', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await using tab = await visit(browser, phone);
  assert.equal(await tab.goTo(`${house.house.origin}/guestbook/`), 200);
  assert.equal(await tab.textOf('.empty'), 'Nobody has written yet.');
  assert.ok((await tab.textOf('.facts')).includes('0'.repeat(64)));
  assert.equal(await tab.page.locator('.pages a').count(), 0);

  await writeLines(house, ['First.']);
  assert.equal(await tab.goTo(`${house.house.origin}/guestbook/?before=1`), 200);
  assert.equal(await tab.textOf('.empty'), 'There is nothing before line 1.');
  await tab.page.click('.pages a');
  assert.deepEqual(await tab.page.locator('.line').allTextContents(), ['First.']);
  assert.equal(await tab.goTo(`${house.house.origin}/guestbook/?before=9007199254740991`), 200);
  assert.deepEqual(await tab.page.locator('.line').allTextContents(), ['First.']);
  assert.deepEqual(tab.complaints, []);
});

it('a page that the book does not have is a page that says why', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  for (const screen of screens) {
    await using tab = await visit(browser, screen);
    assert.equal(await tab.goTo(`${house.house.origin}/guestbook/?before=abc`), 400);
    assert.equal(await tab.textOf('h1'), 'This cannot be shown');
    assert.match(await tab.textOf('.lead'), /^before must be an integer/);
    await assertFits(tab.page);
    await assertWellBuilt(tab.page);
    assert.deepEqual(await faintTexts(tab.page), []);
    await tab.page.click('.ways a >> nth=0');
    assert.equal(tab.page.url(), `${house.house.origin}/guestbook/`);
    assert.deepEqual(tab.complaints, []);
  }
  for (const query of ['before=0', 'before=-1', 'before=1e3', 'before=', 'before=1&before=2']) {
    const answer = await house.fetch(`/guestbook/?${query}`);
    assert.equal(answer.status, 400, query);
    assert.match(await answer.text(), /<p class="lead">before .+<\/p>/, query);
  }
});

it('a hidden line keeps its place and says nothing [BOOK-118]', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await writeLines(house, ['Shown.', 'Withheld from all.', 'Shown too.']);
  await house.command('guestbook', 'hide', { seq: 2 });
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/guestbook/`);
  const { page } = tab;
  assert.match(await tab.textOf('#line-2'), /The operator withholds this line/);
  assert.deepEqual(await marksOf(page), ['✓ verified', '✓ in its place', '✓ verified']);
  const markup = await page.content();
  const { name, fingerprint, public_key } = makeAgents(2)[1] ?? assert.fail();
  for (const withheld of ['Withheld from all.', name, fingerprint.slice(0, 8), public_key]) {
    assert.ok(!markup.includes(withheld), withheld);
  }
  await house.command('guestbook', 'unhide', { seq: 2 });
  await page.reload();
  assert.equal(await tab.textOf('#line-2 .line'), 'Withheld from all.');
});

it('a suspended book says that nobody may write', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await house.command('guestbook', 'suspend');
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/guestbook/`);
  assert.match(await tab.textOf('.notice'), /suspended writing/);
});

it('the mark of a line breaks with its hash, its link, its place, its signature and its key', async () => {
  const stranger = makeAgent('stranger', 'Stranger');
  const broken: [why: string, forged: (honest: Record<string, unknown>) => Forged][] = [
    ['it is not what was hashed', () => ({ hash: Buffer.alloc(32, 7) })],
    [
      'it does not follow the line before',
      (honest) => ({ body: { ...honest, prevHash: 'a'.repeat(64) } }),
    ],
    ['it belongs to another place', (honest) => ({ body: { ...honest, seq: 77 } })],
    [
      'its signature is not of its key',
      (honest) => ({ body: { ...honest, sig: stranger.sign('another text') } }),
    ],
    [
      'its signature is not of its key',
      (honest) => ({ body: { ...honest, message: 'Words that nobody signed.' } }),
    ],
    ['its signature is not of its key', (honest) => ({ body: { ...honest, sig: 'short' } })],
    [
      'its key is not of this fingerprint',
      (honest) => {
        const { date, message } = honest as { date: string; message: string };
        const agent = honest.agent as string;
        const payload = JSON.stringify({ action: 'post', agent, date, message, v: 1 });
        const sig = stranger.sign(payload);
        return { body: { ...honest, publicKey: stranger.public_key, sig } };
      },
    ],
    ['it cannot be read', (honest) => ({ body: { ...honest, message: 'half \ud800 a pair' } })],
  ];
  const marks = broken.map(([why]) => `✗ does not verify: ${why}`);
  await using house = await openTestHouse({ engine: 'sqlite' });
  await forge(house, (body) => ({ body }));
  for (const [, forged] of broken) await forge(house, forged);
  await forge(house, (body) => ({ body }));
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/guestbook/`);
  assert.deepEqual(await marksOf(tab.page), ['✓ verified', ...marks.toReversed(), '✓ verified']);
  assert.match(await tab.textOf('.notice'), /^8 of the lines on this page do not verify/);
  assert.deepEqual(await faintTexts(tab.page), []);
});

it('markup in a stored line is shown as text, in every field', async () => {
  const hostile = `"'><img src=x onerror=alert(1)><script>alert(2)</script>&amp;`;
  await using house = await openTestHouse({ engine: 'sqlite' });
  const fields = ['agent', 'date', 'message', 'name', 'postedUtc', 'prevHash', 'publicKey', 'sig'];
  await forge(house, (honest) => ({
    body: { ...honest, ...Object.fromEntries([...fields, 'seq'].map((field) => [field, hostile])) },
  }));
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/guestbook/`);
  const { page } = tab;
  assert.equal(await page.locator('.line').textContent(), hostile);
  assert.equal(await page.locator('.author').textContent(), hostile);
  assert.equal(await page.locator('.fingerprint').textContent(), hostile.slice(0, 8));
  assert.equal(await page.locator('.entry time').getAttribute('datetime'), hostile);
  const shown = await page.locator('.proof dd').allTextContents();
  assert.equal(shown.filter((text) => text === hostile).length, 5);
  assert.equal(await page.locator('script, .entry img, [onerror]').count(), 0);
  await assertWellBuilt(page);
  assert.deepEqual(tab.complaints, []);
});

it('nothing of the book needs JavaScript: pages turn, proofs open', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await writeLines(house, ['Without scripts.']);
  await using tab = await visit(browser, phone, { javaScriptEnabled: false });
  await tab.goTo(`${house.house.origin}/`);
  await tab.page.click('.room h2 a:text("guestbook")');
  assert.equal(tab.page.url(), `${house.house.origin}/guestbook/`);
  assert.equal(await tab.textOf('.line'), 'Without scripts.');
  assert.equal(await tab.page.locator('.proof dl').isVisible(), false);
  await tab.page.click('summary');
  assert.equal(await tab.page.locator('.proof dl').isVisible(), true);
  const { fingerprint } = makeAgents(1)[0] ?? assert.fail();
  assert.ok((await tab.textOf('.proof dl')).includes(fingerprint));
  assert.deepEqual(tab.complaints, []);
});

it('every link and proof of the book is reached by the keyboard and shows it', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await writeLines(house, ['One.', 'Two.']);
  await using tab = await visit(browser, phone);
  await tab.goTo(`${house.house.origin}/guestbook/`);
  const reached = await tabThrough(tab.page);
  const names = await tab.page
    .locator('a, summary')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? 'summary'));
  assert.deepEqual(
    reached.map(({ name }) => name),
    names,
  );
  assert.ok(reached.every(({ is_shown }) => is_shown));
});

it('the book looks the same on a host of its own, and leads back to the house', async () => {
  await using house = await openTestHouse({
    engine: 'sqlite',
    config: { hosts: { guestbook: ['book.localhost'] } },
  });
  const origin = house.house.origin.replace('127.0.0.1', 'book.localhost');
  assert.equal(house.house.rooms.guestbook, origin);
  await using tab = await visit(browser, phone);
  assert.equal(await tab.goTo(`${origin}/`), 200);
  assert.equal(await tab.textOf('h1'), 'The guestbook');
  assert.equal(await tab.page.getAttribute('.wordmark', 'href'), `${house.house.origin}/`);
  const font = await tab.page
    .locator('h1')
    .evaluate((heading) => getComputedStyle(heading).fontFamily);
  assert.match(font, /Palatino/);
  assert.deepEqual(tab.complaints, []);
});

it('prints the lines without what only a screen can use', async () => {
  await using house = await openTestHouse({ engine: 'sqlite' });
  await writeLines(house, ['On paper.']);
  await using tab = await visit(browser, screens[3]);
  await tab.goTo(`${house.house.origin}/guestbook/`);
  await tab.page.emulateMedia({ media: 'print' });
  assert.ok(await tab.page.locator('.line').isVisible());
  assert.equal(await tab.page.locator('.masthead nav').isVisible(), false);
  const ground = await tab.page.evaluate(
    () => getComputedStyle(document.documentElement).backgroundColor,
  );
  assert.equal(ground, 'rgb(255, 255, 255)');
  assert.deepEqual(await faintTexts(tab.page), []);
});

forEachEngine((engine) => {
  test('the pages of the book turn through every line once, both ways, and a line keeps its address', async () => {
    await using house = await openTestHouse({ engine, config: behind_proxy });
    const lines_count = 130;
    const book = bookOf(house);
    const agents = await book.join(lines_count);
    for (const [index, agent] of agents.entries()) {
      if (index === 65) house.clock.advance(day_ms);
      assert.equal((await book.write(agent, `Line ${index + 1}.`)).status, 201);
    }
    await using tab = await visit(browser, phone);
    const { page } = tab;
    const shown = () => page.locator('.line').allTextContents();
    const expected = (newest: number, oldest: number) =>
      Array.from({ length: newest - oldest + 1 }, (_, index) => `Line ${newest - index}.`);
    await tab.goTo(`${house.house.origin}/guestbook/`);
    assert.deepEqual(await shown(), expected(130, 81));
    await page.click('a[rel=next]');
    assert.deepEqual(await shown(), expected(80, 31));
    assert.match(await page.title(), /lines 80 to 31/);
    await page.click('a[rel=next]');
    assert.deepEqual(await shown(), expected(30, 1));
    assert.equal(await page.locator('a[rel=next]').count(), 0);
    await page.click('a[rel=prev]');
    assert.deepEqual(await shown(), expected(80, 31));
    await page.click('text=Newest lines');
    assert.deepEqual(await shown(), expected(130, 81));
    assert.deepEqual(await marksOf(page), Array(50).fill('✓ verified'));

    const address = await page
      .locator('#line-100 [rel=bookmark]')
      .evaluate((link) => (link as HTMLAnchorElement).href);
    for (const agent of agents.slice(0, 30)) await book.write(agent, 'A later line.');
    await tab.goTo(address);
    assert.equal(await tab.textOf(':target .line'), 'Line 100.');
    assert.deepEqual(tab.complaints, []);
  });
});
