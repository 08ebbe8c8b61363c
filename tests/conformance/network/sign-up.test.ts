import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import {
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import type { TestHouse } from '../../support/open-house.ts';

const register = (net: NetworkApi, body: unknown, headers = {}) =>
  net.call('POST', '/v1/registrations', { body, headers });

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const browser = { accept: 'text/html,application/xhtml+xml' };

/** What the house lets strangers read, with what a sign-up may leave there. */
async function everythingPublic(net: NetworkApi, handle: string): Promise<string> {
  const paths = [
    '/',
    '/join',
    '/agents',
    '/llms.txt',
    '/openapi.json',
    `/${handle}`,
    '/v1/registrations?limit=200',
    '/v1/net/directory',
    `/v1/net/cards/${handle}`,
    `/${handle}/.profile/raw/branch/main/agent.json`,
    `/${handle}/.profile/raw/branch/main/README.md`,
  ];
  const answers = await Promise.all(
    paths.map(async (path) => {
      const { status, text, headers } = await net.call('GET', path);
      assert.equal(status, 200, path);
      return `${text} ${JSON.stringify([...headers])}`;
    }),
  );
  return answers.join('\n');
}

forEachEngine((engine) => {
  let house: TestHouse;
  let net: NetworkApi;
  before(async () => {
    house = await openNetworkHouse({ engine });
    net = networkOf(house);
  });
  after(() => house.close());

  test('a sign-up answers 201 with handle, address, account, passcode, card and next steps [NET-014]', async () => {
    const { status, body, headers } = await register(net, { name: 'Signed Up' });
    assert.equal(status, 201);
    assert.equal(headers.get('cache-control'), 'no-store');
    const { passcode, next_steps, card_url, ...rest } = body;
    assert.match(passcode, /^nip_[A-Za-z0-9_-]{43}$/);
    assert.ok(next_steps.length > 0);
    assert.equal(card_url, `${house.house.rooms.network}/signed-up/.profile`);
    assert.deepEqual(rest, {
      handle: 'signed-up',
      address: 'signed-up@localhost',
      account: 'agent:signed-up',
      git: 'ready',
    });
    const { body: me } = await net.call('GET', '/v1/net/me', { passcode });
    assert.equal(me.account, 'agent:signed-up');
  });

  test('right after the sign-up the card is valid and says what was given [NET-017]', async () => {
    const { body } = await register(net, {
      name: 'Carded',
      description: 'Draws cards.',
      capabilities: ['draw', 'image-resize'],
    });
    assert.equal(body.git, 'ready');
    const { status, body: card } = await net.call('GET', '/v1/net/cards/carded');
    assert.equal(status, 200);
    assert.equal(card.valid, true);
    assert.equal(card.display_name, 'Carded');
    assert.deepEqual(card.capabilities, ['draw', 'image-resize']);
  });

  test('the form and JSON take one path and have the same effects [NET-012] [NET-013]', async () => {
    const page = await net.call('GET', '/join');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const [, action] = /<form[^>]* method="post" action="([^"]+)"/.exec(page.text) ?? [];
    assert.equal(action, '/net/v1/registrations');
    const by_form = await net.call('POST', '/v1/registrations', {
      body: form({
        name: 'Same Way',
        description: 'By hand.',
        capabilities: 'draw, , image-resize,draw',
        handler_name: '',
        handler_email: '',
      }),
      headers: browser,
    });
    assert.equal(by_form.status, 201);
    assert.match(by_form.headers.get('content-type') ?? '', /^text\/html/);
    const by_json = await register(net, {
      name: 'Same Way',
      description: 'By hand.',
      capabilities: ['draw', 'image-resize'],
    });
    assert.equal(by_json.body.handle, 'same-way-2');
    const [one, two] = await Promise.all(
      ['same-way', 'same-way-2'].map(async (handle) => {
        const { body } = await net.call('GET', `/v1/net/cards/${handle}`);
        const { handle: _, address, commit, card_url, contact, ...same } = body;
        assert.ok(commit && card_url && contact);
        assert.equal(address, `${handle}@localhost`);
        return same;
      }),
    );
    assert.deepEqual(one, two);
    const routes = await net.call('GET', '/openapi.json');
    const making = Object.keys(routes.body.paths).filter((path) =>
      /registr|sign-?up|join/.test(path),
    );
    assert.deepEqual(making, ['/v1/registrations'], 'there is no second way');
  });

  test('the passcode stands in that one answer, by the form once on its page [NET-015]', async () => {
    const { text, headers } = await net.call('POST', '/v1/registrations', {
      body: form({ name: 'Shown Once' }),
      headers: browser,
    });
    const shown = text.match(/nip_[A-Za-z0-9_-]{43}/g) ?? [];
    assert.equal(shown.length, 1);
    assert.equal(headers.get('cache-control'), 'no-store');
    const [passcode = ''] = shown;
    const me = await net.call('GET', '/v1/net/me', { passcode });
    assert.equal(me.body.handle, 'shown-once');
    for (const path of ['/v1/net/me', '/v1/net/settings', '/']) {
      assert.ok(!(await net.call('GET', path, { passcode })).text.includes(passcode), path);
    }
    assert.doesNotMatch(await everythingPublic(net, 'shown-once'), /nip_[A-Za-z0-9_-]{43}/);
  });

  test('what is wrong with a form is told on a page, and to programs in JSON [NET-003] [NET-006]', async () => {
    const body = form({ name: '' });
    const shown = await net.call('POST', '/v1/registrations', { body, headers: browser });
    assert.equal(shown.status, 400);
    assert.match(shown.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(
      shown.text,
      /<h1>This was not taken<\/h1>\n<p class="lead">Nobody was signed up\./,
    );
    assertNo(await net.call('POST', '/v1/registrations', { body }), [400, 'invalid_name']);
  });

  test("the handler's name and e-mail appear nowhere, known or not [NET-022] [NET-023] [NET-024]", async () => {
    const handler = { handler_name: 'Zaphod Q. Handler', handler_email: 'zaphod@handler.example' };
    const first = await register(net, { name: 'Handled', ...handler });
    const second = await register(net, { name: 'Handled', ...handler });
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.deepEqual(Object.keys(first.body), Object.keys(second.body));
    const names = ({ headers }: { headers: Headers }) => [...headers.keys()].sort();
    assert.deepEqual(names(first), names(second));
    for (const { text } of [first, second]) assert.doesNotMatch(text, /zaphod/i);
    for (const { handle } of [first.body, second.body]) {
      assert.doesNotMatch(await everythingPublic(net, handle), /zaphod/i);
    }
    const { text } = await net.call('GET', '/v1/net/me', { passcode: first.body.passcode });
    assert.doesNotMatch(text, /zaphod/i);
    const said = await house.command('network', 'show', { handle: 'handled' });
    assert.match(said, /zaphod@handler\.example/, 'the operator is told');
  });

  test('the list gives all agents in the order of their sign-ups, a page at a time [NET-024]', async () => {
    for (const name of ['Listed One', 'Listed Two']) await net.signUp(name);
    const listed: { handle: string }[] = [];
    for (let after = ''; ; ) {
      const path = `/v1/registrations?limit=3${after && `&after=${after}`}`;
      const { status, body, text } = await net.call('GET', path);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /passcode|handler/);
      listed.push(...body.registrations);
      if (body.next === null) break;
      assert.equal(body.next, body.registrations.at(-1).handle);
      after = body.next;
    }
    const all = (await net.call('GET', '/v1/registrations?limit=200')).body;
    assert.deepEqual(all, { registrations: listed, next: null });
    assert.equal(listed[0]?.handle, 'leora', 'the operator came first');
    assert.deepEqual(
      listed.slice(-2).map((line) => ({ ...line, registered_at: 'then' })),
      ['one', 'two'].map((end) => ({
        handle: `listed-${end}`,
        address: `listed-${end}@localhost`,
        display_name: `Listed ${end === 'one' ? 'One' : 'Two'}`,
        registered_at: 'then',
        card_url: `${house.house.rooms.network}/listed-${end}/.profile`,
      })),
    );
    for (const [query, code] of [
      ['after=nobody-here', 'invalid_after'],
      ['after=%00', 'invalid_after'],
      ['limit=0', 'invalid_limit'],
      ['limit=201', 'invalid_limit'],
      ['limit=x', 'invalid_limit'],
    ]) {
      assertNo(await net.call('GET', `/v1/registrations?${query}`), [400, String(code)]);
    }
  });

  test('a free name is the handle, a taken one gets the smallest free number from 2 on [NET-025]', async () => {
    const handles = [];
    for (const name of ['Nora', 'Nora-3', 'nora', 'NORA', 'nora']) {
      handles.push((await net.signUp(name)).handle);
    }
    assert.deepEqual(handles, ['nora', 'nora-3', 'nora-2', 'nora-4', 'nora-5']);
  });

  test('twenty parallel sign-ups with one name get twenty handles [NET-026]', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => net.signUp('Crowd')));
    const handles = made.map(({ handle }) => handle).sort();
    const wanted = ['crowd', ...Array.from({ length: 19 }, (_, index) => `crowd-${index + 2}`)];
    assert.deepEqual(handles, wanted.sort());
    assert.equal(new Set(made.map(({ passcode }) => passcode)).size, 20);
  });

  test('names are folded to handles by the house alone [NET-028]', async () => {
    const expected: readonly (readonly [name: string, handle: string])[] = [
      ['  Data   Miner 2000! ', 'data-miner-2000'],
      ['DATA_miner-2000', 'data-miner-2000-2'],
      ['\u212aelvin', 'elvin'],
      ['\u0130stanbul', 'stanbul'],
      ['Zoë', 'zo'],
      ['ß', 'agent-2'],
      ['---', 'agent-3'],
      ['日本', 'agent-4'],
      ['a'.repeat(80), 'a'.repeat(36)],
      [`${'a'.repeat(36)}tail`, `${'a'.repeat(36)}-2`],
    ];
    for (const [name, handle] of expected) {
      const made = await net.signUp(name);
      assert.equal(made.handle, handle, name);
      assert.match(made.handle, /^[a-z0-9-]{1,40}$/);
    }
  });

  test('a name of up to 80 characters that a card may show is taken, no other [NET-006] [NET-007]', async () => {
    const count = async () => (await net.call('GET', '/v1/registrations?limit=200')).body;
    const before_all = await count();
    const wrong: readonly (readonly [body: Record<string, unknown>, field: string])[] = [
      [{}, 'name'],
      [{ name: null }, 'name'],
      [{ name: 7 }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'n'.repeat(81) }, 'name'],
      [{ name: 'a\ud800' }, 'name'],
      [{ name: '\udc00\ud800' }, 'name'],
      [{ name: 'a\u0000' }, 'name'],
      [{ name: 'a\nb' }, 'name'],
      [{ name: 'ok', description: 'd'.repeat(1001) }, 'description'],
      [{ name: 'ok', description: '\ud800' }, 'description'],
      [{ name: 'ok', description: 'a\u0000' }, 'description'],
      [{ name: 'ok', capabilities: 'draw' }, 'capabilities'],
      [{ name: 'ok', capabilities: [''] }, 'capabilities'],
      [{ name: 'ok', capabilities: ['c'.repeat(65)] }, 'capabilities'],
      [{ name: 'ok', capabilities: ['same', 'same'] }, 'capabilities'],
      [{ name: 'ok', capabilities: ['\ud800'] }, 'capabilities'],
      [{ name: 'ok', capabilities: ['a\u0007'] }, 'capabilities'],
      [{ name: 'ok', capabilities: Array.from({ length: 51 }, (_, n) => `c${n}`) }, 'capabilities'],
      [{ name: 'ok', handler_name: 'h'.repeat(201) }, 'handler_name'],
      [{ name: 'ok', handler_email: 'h'.repeat(255) }, 'handler_email'],
      [{ name: 'ok', handler_email: ['a@b'] }, 'handler_email'],
    ];
    for (const [body, field] of wrong) {
      const message = assertNo(await register(net, body), [400, `invalid_${field}`]);
      assert.ok(message.startsWith(`${field} `), message);
    }
    assert.deepEqual(await count(), before_all, 'nothing was made');
    const made = await register(net, {
      name: '\u{1f600}'.repeat(80),
      description: 'd'.repeat(1000),
      capabilities: Array.from({ length: 50 }, (_, n) => `c${n}`.padEnd(64, 'x')),
      handler_name: 'h'.repeat(200),
      handler_email: 'h'.repeat(254),
      unknown_member: true,
    });
    assert.equal(made.status, 201);
    const card = await net.call('GET', `/v1/net/cards/${made.body.handle}`);
    assert.equal(card.body.valid, true, 'whatever is taken makes a valid card');
  });

  test('while the file lies there new accounts are refused, and no others are held up [NET-034] [NET-033]', async () => {
    const early = await net.signUp('Before Pause');
    await writeFile(`${house.data}/SIGNUP_PAUSED`, '');
    assertNo(await register(net, { name: 'Paused' }), [503, 'signup_paused']);
    const { passcode } = early;
    assert.equal((await net.call('GET', '/v1/net/me', { passcode })).status, 200);
    const signed_in = await net.call('POST', '/v1/sign-in', { body: { passcode } });
    assert.equal(signed_in.status, 200);
    await rm(`${house.data}/SIGNUP_PAUSED`);
    assert.equal((await net.signUp('Paused')).handle, 'paused', 'no handle was taken meanwhile');
  });

  test('the operator pauses new accounts in every process of the house by a command [NET-034]', async () => {
    await using other =
      engine === 'postgres' ? await openNetworkHouse({ engine, beside: house }) : undefined;
    const processes = [net, ...(other ? [networkOf(other)] : [])];
    const order = (state?: string) =>
      house.command('network', 'registration', state === undefined ? {} : { state });
    assert.equal(await order(), 'Registration is open.');
    assert.equal(await order('paused'), 'Registration is paused.');
    assert.equal(await order(), 'Registration is paused.', 'which the question did not change');
    for (const each of processes) {
      assertNo(await register(each, { name: 'Told To Wait' }), [503, 'signup_paused']);
    }
    await assert.rejects(order('shut'), /state must be open or paused/);
    await writeFile(`${house.data}/SIGNUP_PAUSED`, '');
    assert.match(await order('open'), /^Registration is open, and the file SIGNUP_PAUSED in /);
    assertNo(await register(net, { name: 'Told To Wait' }), [503, 'signup_paused']);
    await rm(`${house.data}/SIGNUP_PAUSED`);
    assert.equal(await order('open'), 'Registration is open.');
    for (const [index, each] of processes.entries()) {
      const handle = index === 0 ? 'told-to-wait' : `told-to-wait-${index + 1}`;
      assert.equal((await each.signUp('Told To Wait')).handle, handle);
    }
  });

  test('a lost passcode is replaced by the operator, and the old one then names nobody [NET-015]', async () => {
    const { passcode, handle } = await net.signUp('Forgetful');
    await net.call('GET', '/v1/net/me', { passcode });
    const replaced = await house.command('network', 'passcode', { handle });
    assert.match(replaced, /^nip_[A-Za-z0-9_-]{43}$/);
    assertNo(await net.call('GET', '/v1/net/me', { passcode }), [401, 'unauthorized']);
    const me = await net.call('GET', '/v1/net/me', { passcode: replaced });
    assert.equal(me.body.handle, handle);
    await assert.rejects(house.command('network', 'passcode', { handle: 'nobody-there' }));
  });
});
