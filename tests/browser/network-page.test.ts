import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Agent, networkOf, openNetworkHouse } from '../support/network-api.ts';
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

const hostile = '<script>window.harmed = true</script><img src=x onerror="window.harmed = true">';

let browser: Browser;
let house: TestHouse;
let reader: Agent;
before(async () => {
  browser = await openBrowser();
  house = await openNetworkHouse({ engine: 'sqlite' });
  const net = networkOf(house);
  const writer = await net.signUp('Resizer', {
    description: 'Resizes pictures.',
    capabilities: ['image-resize'],
  });
  await net.signUp(hostile.slice(0, 80), {
    description: `${hostile} ${'x'.repeat(300)}`,
    capabilities: [hostile.slice(0, 64)],
  });
  reader = await net.signUp('Reader');
  const body = { to: 'reader', text: `${hostile}\n${'x'.repeat(300)}` };
  await net.call('POST', '/v1/net/messages', { passcode: writer.passcode, body });
  const { passcode } = reader;
  await net.call('POST', '/v1/net/requests/resizer/accept', { passcode, body: {} });
  await askReader('Asks First', body.text);
});
after(() => house.close());

/** A stranger's request to the reader. */
async function askReader(name: string, text: string): Promise<void> {
  const net = networkOf(house);
  const { passcode } = await net.signUp(name);
  const body = { to: 'reader', text };
  const sent = await net.call('POST', '/v1/net/messages', { passcode, body });
  assert.equal(sent.status, 202, sent.text);
}

const at = (path: string) => `${house.house.origin}/net${path}`;

for (const screen of [screens[0], screens[3]]) {
  it(`the pages of the network fit a window of ${screen.width} and are legible and well built, ${screen.colorScheme}`, async () => {
    await using tab = await visit(browser, screen);
    const hostile_handle = 'script-window-harmed-true-script-img';
    for (const path of ['/', '/join', '/?next=/', '/agents', '/resizer', `/${hostile_handle}`]) {
      assert.equal(await tab.goTo(at(path)), 200, path);
      await assertFits(tab.page);
      await assertWellBuilt(tab.page);
      assert.deepEqual(await faintTexts(tab.page), [], path);
      assert.equal(await tab.page.locator('script, img[src=x]').count(), 0);
    }
    assert.deepEqual(tab.complaints, []);
  });

  it(`an agent's own pages fit a window of ${screen.width} and are legible and well built, ${screen.colorScheme} [NET-195]`, async () => {
    await using tab = await visit(browser, screen);
    await tab.goTo(at('/?next=/inbox'));
    await tab.page.fill('[name=passcode]', reader.passcode);
    await tab.page.click('.fields button');
    await tab.page.waitForURL(at('/inbox'));
    for (const path of ['/inbox', '/', '/reader']) {
      assert.equal(await tab.goTo(at(path)), 200, path);
      await assertFits(tab.page);
      await assertWellBuilt(tab.page);
      assert.deepEqual(await faintTexts(tab.page), [], path);
      assert.equal(await tab.page.locator('script, img[src=x]').count(), 0);
      assert.equal(await tab.page.locator('.rooms-ways >> text=Agent sign in').count(), 0);
    }
    await tab.goTo(at('/inbox'));
    const own = 'ol:not(.requests) > li';
    assert.equal(await tab.page.locator(own).filter({ hasText: 'resizer' }).count(), 1);
    assert.equal(await tab.page.locator('.requests li').count(), 1);
    assert.deepEqual(tab.complaints, []);
  });

  it(`without scripts, in a window of ${screen.width}, ${screen.colorScheme}, an agent accepts, declines and blocks on its inbox page [NET-132] [NET-133] [NET-135]`, async () => {
    const net = networkOf(house);
    const name = `Chooser ${screen.width}`;
    const chooser = await net.signUp(name);
    const askers: Agent[] = [];
    for (const verb of ['Accept', 'Decline', 'Block']) {
      const asker = await net.signUp(`${verb} Me ${screen.width}`);
      askers.push(asker);
      const body = { to: chooser.handle, text: `${hostile} ${verb}` };
      await net.call('POST', '/v1/net/messages', { passcode: asker.passcode, body });
    }
    await using tab = await visit(browser, screen, { javaScriptEnabled: false });
    const { page } = tab;
    await tab.goTo(at('/?next=/inbox'));
    await page.fill('[name=passcode]', chooser.passcode);
    await page.click('.fields button');
    await page.waitForURL(at('/inbox'));
    for (const [index, verb] of ['Accept', 'Decline', 'Block'].entries()) {
      assert.equal(await page.locator('.requests li').count(), 3 - index);
      const asker = `${verb.toLowerCase()}-me-${screen.width}`;
      const button = page.getByRole('button', { name: `${verb}: the request of ${asker}` });
      const box = await button.boundingBox();
      assert.ok(box && box.height >= 36 && box.width >= 36, JSON.stringify(box));
      assert.ok(box.x >= 0 && box.x + box.width <= screen.width, JSON.stringify(box));
      await button.click();
      await page.waitForURL(at('/inbox'));
      assert.equal(await page.locator('.requests li').filter({ hasText: asker }).count(), 0);
    }
    assert.equal(await page.locator('#requests').count(), 0);
    assert.equal(await page.locator('.inbox li').filter({ hasText: 'accept-me' }).count(), 1);
    const stands: string[] = [];
    for (const { passcode } of askers) {
      const { body } = await net.call('GET', '/v1/net/requests', { passcode });
      stands.push(body.outgoing[0].status);
    }
    assert.deepEqual(stands, ['accepted', 'declined', 'pending']);
    assert.deepEqual(tab.complaints, []);
  });
}

it('without scripts a person signs an agent up, copies its passcode, signs it in and out [NET-012] [NET-015] [NET-035] [NET-036]', async () => {
  await using tab = await visit(browser, screens[0], { javaScriptEnabled: false });
  const { page } = tab;
  await tab.goTo(at('/'));
  await page.click('.doors >> text=Agent sign up');
  await page.fill('[name=name]', 'By Hand');
  await page.fill('[name=capabilities]', `draw, ${'x'.repeat(65)}`);
  await page.click('.fields button');
  assert.equal(await page.locator('[aria-invalid]').count(), 1);
  const marked = page.getByLabel('Capabilities');
  assert.match((await marked.getAttribute('aria-describedby')) ?? '', /^capabilities-fault$/);
  assert.match(await tab.textOf('#capabilities-fault'), /^“x{30}…” is too long/);
  await assertFits(page);
  await assertWellBuilt(page);
  assert.deepEqual(await faintTexts(page), []);
  await page.fill('[name=capabilities]', 'draw, paint, draw');
  await page.fill('[name=handler_email]', 'somebody@handler.example');
  await page.click('.fields button');
  assert.equal(await tab.textOf('h1'), 'by-hand is signed up');
  const passcode = await tab.textOf('.made code >> nth=0');
  assert.match(passcode, /^nip_[A-Za-z0-9_-]{43}$/);
  await assertFits(page);
  await assertWellBuilt(page);

  await tab.goTo(at('/?next=/by-hand'));
  await page.fill('[name=passcode]', 'nip_wrong');
  await page.click('.fields button');
  assert.equal(await tab.textOf('h1'), 'Sign-in failed');
  await page.fill('[name=passcode]', passcode);
  await page.click('.fields button');
  assert.equal(page.url(), at('/by-hand'));
  assert.match((await page.textContent('main')) ?? '', /Signed in as by-hand/);
  assert.ok(!(await page.content()).includes(passcode));

  await tab.goTo(at('/'));
  await page.click('.rooms-ways >> text=Sign out');
  assert.equal(page.url(), at('/'));
  assert.equal(await page.locator('.signed-in').count(), 0);
});

it('every link and field of the front door is reached by the keyboard and shows it', async () => {
  await using tab = await visit(browser, screens[0]);
  for (const path of ['/', '/join', '/?next=/']) {
    await tab.goTo(at(path));
    const reached = await tabThrough(tab.page);
    const wanted = await tab.page
      .locator('a, button, textarea, input:not([type=hidden]), summary, pre[tabindex]')
      .count();
    assert.equal(reached.length, wanted, path);
    assert.deepEqual(
      reached.filter(({ is_shown }) => !is_shown),
      [],
      path,
    );
  }
});
