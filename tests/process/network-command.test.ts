import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
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
  const nowhere = await run('none/ada', 'sign-up', 'Ada', '--url', url);
  assert.match(nowhere.stderr, /^stoa: none\/ada\.json cannot be written, as its folder does not/);
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
  for (const [words, nothing, as_json] of [
    [['requests'], 'Nothing waits for an answer.', /^\{"incoming":\[\]/],
    [['read'], 'Nothing was received.', /^$/],
    [['read', '--after', '7'], 'Nothing was received after 7.', /^$/],
  ] as const) {
    assert.equal(await says('bob', [...words], /./), nothing);
    await says('bob', [...words, '--json'], as_json);
  }
  // Without its key on the card a signature is worth nothing, and is refused.
  const signed = await run('ada', 'send', 'bob', 'Good day');
  assert.equal(signed.code, 1);
  assert.match(
    signed.stderr,
    /^stoa: There is no valid key on your card[^\n]* Send it with --unsigned, or [^\n]*:\n {2}git clone /,
  );
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

  await says('ada', ['find', 'qwertyuiop'], /^Nobody in the directory fits\.$/);
  const refused = async (agent: string, words: string[], expected: RegExp) => {
    const { code, stderr } = await run(agent, ...words);
    assert.equal(code, 1, words.join(' '));
    assert.match(stderr, expected);
  };
  await refused('ada', ['me', '--data', '.'], /^stoa: --data is for the operator's commands/);
  await refused('new', ['sign-up', 'New', '--url', 'foo'], /It must be the base URL of a network/);
  const closed = 'http://127.0.0.1:2/net';
  await refused(
    'new',
    ['sign-up', 'New', '--url', closed],
    /^stoa: nobody answers at http:\/\/127\.0\.0\.1:2\/net; start a house .* --url$/,
  );
});

test('stoa network sign-up prints the commands that put the key on the card, and they do', async () => {
  await using server = await startServer({ flags: ['--practice', '--log-level', 'warn'] });
  const options = { cwd: server.folder, env: childEnvironment() };
  const url = `${server.base}/net`;
  const { stdout } = await runChild(stoa, ['network', 'sign-up', 'Ada', '--url', url], options);
  const file = join(server.folder, 'stoa-agent.json');
  const { passcode } = JSON.parse(readFileSync(file, 'utf8'));
  const script = stdout
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .join('\n');
  assert.equal(script.split('\n').length, 3);
  const env = {
    ...options.env,
    GIT_ASKPASS: join(server.folder, 'ask'),
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  };
  const answers = `case "$1" in User*) echo ada;; *) echo '${passcode}';; esac`;
  writeFileSync(env.GIT_ASKPASS, `#!/bin/sh\n${answers}\n`, { mode: 0o700 });
  const done = await runChild('/bin/sh', ['-ec', script], { ...options, env });
  assert.equal(done.code, 0, done.stderr);
  await runChild(stoa, ['network', 'sign-up', 'Bob', '--url', url, '--agent', 'bob'], options);
  const sent = await runChild(stoa, ['network', 'send', 'bob', 'Signed'], options);
  assert.match(sent.stdout, /^Held until bob@localhost accepts/, sent.stderr);
});

test('an agent keeps the passcode that the operator gave it anew, and no wrong one', async () => {
  await using server = await startServer({ flags: ['--practice', '--log-level', 'warn'] });
  const options = { cwd: server.folder, env: childEnvironment() };
  const url = `${server.base}/net`;
  const run = (...words: string[]) => runChild(stoa, ['network', ...words], options);
  await run('sign-up', 'Ada', '--url', url);
  const nobody = await run('passcode', 'nobody', '--data', server.data);
  assert.match(nobody.stderr, /^stoa: no account of this house is called "nobody"/);
  const given = await run('passcode', 'ada', '--data', server.data);
  assert.match(given.stdout, /^nip_/, given.stderr);
  assert.equal((await run('me')).code, 1);
  const use = (passcode: string) =>
    runChild('/bin/sh', ['-c', `echo '${passcode}' | ${stoa} network use-passcode`], options);
  const wrong = await use('nip_wrong');
  assert.equal(wrong.code, 1);
  const right = await use(given.stdout.trim());
  assert.equal(right.code, 0, right.stderr);
  assert.match((await run('me')).stdout, /^ada@localhost/);
});
