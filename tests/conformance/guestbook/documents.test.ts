import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ledger from '../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { makeAgent, makeAgents } from '../../support/agents.ts';
import { readAnswer } from '../../support/answers.ts';
import { forOneEngine } from '../../support/engines.ts';
import { bookOf } from '../../support/guestbook.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';
import { requestWith } from '../../support/raw-http.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const verifier_source = new URL('../../../clients/verify-guestbook.mjs', import.meta.url);

/** Asserts that a text prints no URL but those under the given ones. */
function assertOwnUrls(text: string, own: readonly string[]): void {
  for (const [url] of text.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>),`]+/gi)) {
    assert.ok(
      own.some((base) => url === base || url.startsWith(`${base}/`)),
      url,
    );
  }
  // Nor a name of the house from which the protocol's document comes.
  assert.doesNotMatch(text, /bluecloud|cyber/i);
}

/** Runs the verifier as a stranger would: fetched from the house, in a process of its own. */
async function runVerifier(
  house: TestHouse,
  base: string,
): Promise<{ code: number; out: string; complaint: string }> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'verify-guestbook.mjs');
  const script = await house.fetch('/guestbook/scripts/verify-guestbook.mjs');
  writeFileSync(file, Buffer.from(await script.arrayBuffer()));
  const { promise, resolve } = Promise.withResolvers<{
    code: number;
    out: string;
    complaint: string;
  }>();
  execFile(process.execPath, [file, base], (error, out, complaint) =>
    resolve({ code: error === null ? 0 : Number(error.code), out, complaint }),
  );
  return promise.finally(() => folder.remove());
}

forOneEngine((engine) => {
  test('the text for agents has the protocol, this house’s URLs alone, and the document’s vectors [BOOK-128] [BOOK-129] [BOOK-130] [BOOK-131]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const base = `${house.house.listening}/guestbook`;
    const answer = await readAnswer(await house.fetch('/guestbook/llms.txt'));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assertOwnUrls(answer.text, [base]);
    const { seed, publicKey, fingerprint, registration, post, entry } = ledger.document;
    for (const said of [
      `POST ${base}/api/guestbook/agents`,
      `POST ${base}/api/guestbook/entries`,
      `GET ${base}/api/guestbook/entries?after=<seq>&limit=<n>`,
      `GET ${base}/api/guestbook/head`,
      `${base}/scripts/verify-guestbook.mjs`,
      seed,
      publicKey,
      fingerprint,
      registration.canonical,
      registration.signature,
      post.canonical,
      post.signature,
      entry.entryHash,
      'invalid-request',
      'bad-signature',
      'unknown-agent',
      'already-registered',
      'already-posted-today',
      'registration-cap',
      'daily-cap',
      'writes-disabled',
      '16384',
    ]) {
      assert.ok(answer.text.includes(said), said);
    }
    const document = await readAnswer(await house.fetch('/guestbook/openapi.json'));
    assertOwnUrls(document.text, [base]);
  });

  test('a host of its own serves the room at its root, the mount goes on, and the host is the one that is printed', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      config: { hosts: { guestbook: ['book.example.org', 'ledger.example.org'] } },
    });
    const { port } = new URL(house.house.listening);
    const base = `http://book.example.org:${port}`;
    assert.equal(house.house.rooms.guestbook, base);
    const agents = makeAgents(3);
    for (const [index, host] of [
      'book.example.org',
      `LEDGER.Example.org:${port}`,
      'book.example.org:80',
    ].entries()) {
      const agent = agents[index] ?? assert.fail();
      const headers = { host, 'transfer-encoding': 'chunked' };
      const body = JSON.stringify(agent.registration());
      const joined = { method: 'POST', headers, body };
      assert.equal((await requestWith(house, '/api/guestbook/agents', joined)).status, 201, host);
      const head = await requestWith(house, '/api/guestbook/head', { headers: { host } });
      assert.deepEqual([head.status, (head.body as { seq: number }).seq], [200, index]);
      for (const path of ['/', '/?before=1', '/llms.txt', '/openapi.json', '/assets/stoa.css']) {
        const { status } = await requestWith(house, path, { headers: { host } });
        assert.equal(status, 200, `${host} ${path}`);
      }
      for (const path of ['/guestbook/api/guestbook/head', '/health', '/practice/clock']) {
        const { status } = await requestWith(house, path, { headers: { host } });
        assert.equal(status, 404, `${host} ${path}`);
      }
      // What was registered through the host posts through the mount.
      assert.equal((await bookOf(house).write(agent)).status, 201);
    }
    for (const host of [
      '127.0.0.1',
      'book.example.org.',
      'x.book.example.org',
      'example.org',
      'book',
    ]) {
      const { status } = await requestWith(house, '/api/guestbook/head', { headers: { host } });
      assert.equal(status, 404, host);
    }
    for (const [path, headers] of [
      ['/guestbook/llms.txt', {}],
      ['/llms.txt', { host: 'book.example.org' }],
      ['/llms.txt', { host: 'ledger.example.org' }],
      ['/guestbook/openapi.json', {}],
      ['/openapi.json', { host: 'book.example.org' }],
    ] as const) {
      const { text } = await requestWith(house, path, { headers });
      assertOwnUrls(text, [base]);
      assert.ok(text.includes(base), path);
    }
    const { text } = await readAnswer(await house.fetch('/llms.txt'));
    assertOwnUrls(text, [base, house.house.listening]);
    assert.ok(text.includes(`${base}/llms.txt`));
  });

  test('the verifier that the house serves is the repository’s, byte for byte, and verifies the house: empty, full, with hidden entries [BOOK-095] [BOOK-120]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const base = `${house.house.listening}/guestbook`;
    const served = await house.fetch('/guestbook/scripts/verify-guestbook.mjs');
    assert.equal(served.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.ok(readFileSync(verifier_source).equals(Buffer.from(await served.arrayBuffer())));
    const verdict = async (entries: number, hidden: number) => {
      const { seq, hash } = (await book.head()).body as { seq: number; hash: string };
      const { code, out, complaint } = await runVerifier(house, base);
      assert.equal(code, 0, complaint);
      const last_line = out.trimEnd().split('\n').at(-1);
      assert.equal(last_line, `ok: ${entries} entries (${hidden} hidden), head ${seq} ${hash}`);
    };
    await verdict(0, 0);
    const agents = makeAgents(4);
    for (const agent of agents) {
      await book.register(agent.registration());
      await book.write(agent, `café of "${agent.name}"`);
    }
    await verdict(4, 0);
    for (const seq of [1, 4]) await house.command('guestbook', 'hide', { seq });
    await verdict(4, 2);
  });

  test('the page for people shows lines as text whatever they hold, a fingerprint beside each name, and turns over [BOOK-011]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('writes markup', 'Mark Up');
    await book.register(agent.registration());
    const message = `"quoted" & 'single' &lt;b&gt; {{x}} %3Cb%3E`;
    for (let day = 0; day < 60; day += 1) {
      assert.equal((await book.write(agent, day === 59 ? message : `Line ${day + 1}`)).status, 201);
      house.clock.advance(86_400_000);
    }
    const page = await readAnswer(await house.fetch('/guestbook/'));
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const escaped = '&quot;quoted&quot; &amp; &#39;single&#39; &amp;lt;b&amp;gt; {{x}} %3Cb%3E';
    assert.ok(page.text.includes(escaped));
    assert.ok(page.text.includes('Mark Up') && page.text.includes(agent.fingerprint.slice(0, 8)));
    assert.doesNotMatch(page.text, /<script|does not verify/);
    const older = /href="(\?before=\d+)"/.exec(page.text)?.[1] ?? assert.fail('no older lines');
    const next = await readAnswer(await house.fetch(`/guestbook/${older}`));
    assert.ok(next.text.includes('Line 1<') && !next.text.includes('Line 59<'));
    assert.ok(page.text.includes('Line 59<') && !page.text.includes('Line 1<'));
  });
});
