import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import {
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';

/** Signs agents up whose starter cards say what a search looks for. */
async function fill(net: NetworkApi): Promise<void> {
  const agents: [name: string, description: string, capabilities: string[]][] = [
    ['Zed', 'Draws 100% local maps', ['maps', 'GIS']],
    ['bob', 'Resizes images; it\'s "fast"', ['image-resize', 'Maps']],
    ['Anna-Lena', 'Übersetzt ÄPFEL, a@b.example', ['translate', 'image resize']],
    ['a-1', '1000 words, a*b', []],
  ];
  for (const [name, description, capabilities] of agents) {
    await net.signUp(name, { description, capabilities });
  }
}

const query = (asked: Record<string, string>) => `/v1/net/directory?${new URLSearchParams(asked)}`;

forEachEngine((engine) => {
  test('the directory lists every valid card by handle, and finds literal words and capabilities [NET-080] [NET-081] [NET-084] [NET-085]', async () => {
    await using house = await openNetworkHouse({ engine });
    const net = networkOf(house);
    await fill(net);
    const found = async (asked: Record<string, string>) => {
      const { status, body, text } = await net.call('GET', query(asked));
      assert.equal(status, 200, text);
      return body.cards.map(({ handle }: { handle: string }) => handle);
    };
    const all = ['a-1', 'anna-lena', 'bob', 'leora', 'zed'];
    assert.deepEqual(await found({}), all);
    const { body } = await net.call('GET', '/v1/net/directory');
    assert.deepEqual([body.invalid, body.next], [[], null]);
    for (const entry of body.cards) {
      const { body: own } = await net.call('GET', `/v1/net/cards/${entry.handle}`);
      assert.deepEqual(entry, own);
      assert.deepEqual([entry.kind, entry.valid], ['agent', true]);
    }

    const searches: [asked: Record<string, string>, handles: string[]][] = [
      [{ q: '' }, all],
      [{ q: '  \t ' }, all],
      [{ q: 'BOB' }, ['bob']],
      [{ q: 'images resizes' }, ['bob']],
      [{ q: 'image' }, ['anna-lena', 'bob']],
      [{ q: 'resize' }, ['anna-lena', 'bob']],
      [{ q: 'image-resize' }, ['bob']],
      [{ q: 'image maps' }, ['bob']],
      [{ q: 'maps' }, ['bob', 'zed']],
      [{ q: 'übersetzt äpfel' }, ['anna-lena']],
      [{ q: 'ÜBERSETZT' }, ['anna-lena']],
      [{ q: '100%' }, ['zed']],
      [{ q: '%' }, ['zed']],
      [{ q: '100' }, ['a-1', 'zed']],
      [{ q: '"' }, ['bob']],
      [{ q: '"fast"' }, ['bob']],
      [{ q: "it's" }, ['bob']],
      [{ q: 'a*b' }, ['a-1']],
      [{ q: '*' }, ['a-1']],
      [{ q: 'a@b' }, ['anna-lena']],
      [{ q: '-' }, ['a-1', 'anna-lena', 'bob']],
      [{ q: 'a_b' }, []],
      [{ q: '\\' }, []],
      [{ q: 'OR' }, all.filter((handle) => ['leora', 'a-1'].includes(handle))],
      [{ q: 'nothing-like-it' }, []],
      // The address and links are not searched.
      [{ q: 'localhost' }, []],
      [{ q: '\u0000' }, []],
      [{ capability: 'maps' }, ['zed']],
      [{ capability: 'Maps' }, ['bob']],
      [{ capability: 'map' }, []],
      [{ capability: 'image resize' }, ['anna-lena']],
      [{ capability: '' }, all],
      [{ capability: 'maps', q: 'local' }, ['zed']],
      [{ capability: 'maps', q: 'images' }, []],
    ];
    for (const [asked, handles] of searches) {
      assert.deepEqual(await found(asked), handles, JSON.stringify(asked));
    }
  });

  test('the directory is read in pages, and a card that is pushed away leaves it [NET-080] [NET-087]', async () => {
    await using house = await openNetworkHouse({ engine });
    const net = networkOf(house);
    await fill(net);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const asked: Record<string, string> = { limit: '2', ...(after ? { after } : {}) };
      const { body } = await net.call('GET', query(asked));
      assert.ok(body.cards.length <= 2);
      seen.push(...body.cards.map(({ handle }: { handle: string }) => handle));
      after = body.next;
      if (after !== null) assert.equal(after, seen.at(-1));
    } while (after !== null);
    assert.deepEqual(seen, ['a-1', 'anna-lena', 'bob', 'leora', 'zed']);
    assert.equal((await net.call('GET', query({ after: 'ZED' }))).body.cards.length, 0);
    assert.equal((await net.call('GET', query({ limit: '5' }))).body.next, null);

    // A new agent is there at once.
    await net.signUp('Carl');
    const { body } = await net.call('GET', query({ q: 'carl' }));
    assert.equal(body.cards.length, 1);
  });
});

test('a query of the wrong form is refused by its field [NET-084]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const net = networkOf(house);
  const long = (characters: number) => 'ä'.repeat(characters);
  const refused: [query: string, code: string][] = [
    [`q=${encodeURIComponent(long(201))}`, 'invalid_q'],
    [`q=${Array.from({ length: 21 }, () => 'a').join('+')}`, 'invalid_q'],
    ['q=a&q=b', 'invalid_q'],
    [`capability=${long(65)}`, 'invalid_capability'],
    ['limit=0', 'invalid_limit'],
    ['limit=1001', 'invalid_limit'],
    ['limit=-1', 'invalid_limit'],
    ['limit=ten', 'invalid_limit'],
    ['limit=', 'invalid_limit'],
    ['after=', 'invalid_after'],
    ['after=a_b', 'invalid_after'],
    [`after=${'a'.repeat(41)}`, 'invalid_after'],
  ];
  for (const [asked, code] of refused) {
    assertNo(await net.call('GET', `/v1/net/directory?${asked}`), [400, code]);
  }
  const taken = [
    `q=${encodeURIComponent(long(200))}`,
    `q=${encodeURIComponent('😀'.repeat(200))}`,
    `q=${Array.from({ length: 20 }, () => 'a').join('+')}`,
    `capability=${encodeURIComponent(long(64))}`,
    'limit=1',
    'limit=1000',
    'q=&capability=',
  ];
  for (const asked of taken) {
    assert.equal((await net.call('GET', `/v1/net/directory?${asked}`)).status, 200, asked);
  }
});

test('the page of the directory takes the search of programs [NET-086]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const net = networkOf(house);
  await fill(net);
  const shown = async (asked: string) => {
    const page = await net.call('GET', `/agents${asked}`);
    assert.equal(page.status, 200, page.text);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const handles = [...page.text.matchAll(/<li>\s*<p><a href="\/net\/([a-z0-9-]+)">/g)];
    return { text: page.text, handles: handles.map(([, handle]) => handle) };
  };
  const everybody = await shown('');
  assert.deepEqual(everybody.handles, ['a-1', 'anna-lena', 'bob', 'leora', 'zed']);
  assert.match(everybody.text, /<form[^>]*method="get"[^>]*action="\/net\/agents"/);
  assert.match(everybody.text, /<input[^>]*name="q"/);
  assert.match(everybody.text, /<input[^>]*name="capability"/);
  assert.match(everybody.text, /&quot;fast&quot;/);
  assert.deepEqual((await shown('?q=images')).handles, ['bob']);
  assert.deepEqual((await shown('?capability=maps')).handles, ['zed']);
  const hostile = await shown(`?q=${encodeURIComponent('"><script>')}`);
  assert.doesNotMatch(hostile.text, /<script/);
  const first = await shown('?limit=2');
  assert.match(first.text, /href="\/net\/agents\?[^"]*after=anna-lena[^"]*" rel="next"/);
  assert.equal((await net.call('GET', `/agents?q=${'x'.repeat(201)}`)).status, 400);
});
