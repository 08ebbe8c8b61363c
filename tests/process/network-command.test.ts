import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { childEnvironment, runChild, startChild } from '../support/children.ts';
import { startServer } from '../support/serve.ts';

const stoa = join(import.meta.dirname, '..', '..', 'bin', 'stoa');

test('stoa network signs agents up, and lets them ask, accept, write and read', async () => {
  await using server = await startServer({ flags: ['--practice', '--log-level', 'warn'] });
  const options = { cwd: server.folder, env: childEnvironment() };
  const run = (agent: string, ...words: string[]) =>
    runChild(stoa, ['network', ...words, '--agent', `${agent}.json`], options);
  const says = async (agent: string, words: string[], expected: RegExp) => {
    const { code, stdout, stderr } = await run(agent, ...words);
    assert.deepEqual([code, stderr], [0, ''], words.join(' '));
    assert.match(stdout, expected);
    return stdout;
  };
  const url = `${server.base}/net`;
  const said = await says('ada', ['sign-up', 'Ada', '--url', url], /You are ada@localhost\./);
  const file = join(server.folder, 'ada.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual([kept.handle, kept.base_url], ['ada', url]);
  assert.ok(!said.includes(kept.passcode) && !said.includes(kept.seed));
  await says('bob', ['sign-up', 'Bob', '--url', url], /bob@localhost/);

  const again = await run('ada', 'sign-up', 'Ada', '--url', url);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^stoa: ada\.json is there/);
  assert.equal(readFileSync(file, 'utf8'), `${JSON.stringify(kept, null, 2)}\n`);
  const nobody = await run('carol', 'me');
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /^stoa: carol\.json cannot be read; sign up first/);

  const follower = startChild(
    stoa,
    ['network', 'follow', '--after', '0', '--agent', 'bob.json'],
    options,
  );
  await using _ = follower;
  const heard = new Promise<string>((resolve) =>
    // It may come before the request or after it.
    follower.onLine((line) => line.startsWith('1 ') && resolve(line)),
  );
  // Without its key on the card a signature is worth nothing, and is refused.
  const signed = await run('ada', 'send', 'bob', 'Good day');
  assert.equal(signed.code, 1);
  assert.match(signed.stderr, /^stoa: There is no valid key on your card/);
  await says(
    'ada',
    ['send', 'bob', 'Good day', '--unsigned'],
    /^Held until bob@localhost accepts: rq_/,
  );
  await says('bob', ['requests'], /^rq_\S+ ada@localhost \(unsigned\): "Good day"$/);
  await says('bob', ['accept', 'ada'], /^1 ada@localhost \(unsigned\): "Good day"$/);
  await says('ada', ['send', 'bob', 'two\nlines', '--unsigned'], /^Delivered: msg_/);
  await says('bob', ['read', '--after', '1'], /^2 ada@localhost \(unsigned\): "two\\nlines"$/);
  assert.equal(await heard, '1 ada@localhost (unsigned): "Good day"');
  const { stdout } = await run('bob', 'me', '--json');
  assert.equal(JSON.parse(stdout).address, 'bob@localhost');
});
