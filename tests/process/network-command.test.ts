import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { childEnvironment, runChild, startChild } from '../support/children.ts';
import { startServer, startServerWith } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
  for (const no_base of ['foo', `${url}?a`, `${url}#a`, url.replace('//', '//user@')]) {
    await refused(
      'new',
      ['sign-up', 'New', '--url', no_base],
      /It must be the base URL of a network/,
    );
  }
  const closed = 'http://127.0.0.1:2/net';
  await refused(
    'new',
    ['sign-up', 'New', '--url', closed],
    /^stoa: nobody answers at http:\/\/127\.0\.0\.1:2\/net; start a house .* --url$/,
  );
  // A port that fetch never calls.
  await refused(
    'new',
    ['sign-up', 'New', '--url', 'http://127.0.0.1:1/net'],
    /^stoa: nobody answers at http:\/\/127\.0\.0\.1:1\/net; start a house .* --url$/,
  );
  await refused(
    'new',
    ['sign-up', 'New', '--url', server.base],
    /^stoa: there is no network at http\S+ \(There is nothing at this path\..*\); the base URL of one ends in \/net/,
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
  // Of a machine on which git knows nobody.
  const env = {
    ...options.env,
    GIT_ASKPASS: join(server.folder, 'ask'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'user.useConfigOnly',
    GIT_CONFIG_VALUE_0: 'true',
  };
  const answers = `case "$1" in User*) echo ada;; *) echo '${passcode}';; esac`;
  writeFileSync(env.GIT_ASKPASS, `#!/bin/sh\n${answers}\n`, { mode: 0o700 });
  // First another key, by mistake: the refusal prints the same commands, and they put the right one there.
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const mistaken = script.replace(/[\w-]{43}/, x);
  assert.notEqual(mistaken, script);
  const done = await runChild('/bin/sh', ['-ec', mistaken], { ...options, env });
  assert.equal(done.code, 0, done.stderr);
  await runChild(stoa, ['network', 'sign-up', 'Bob', '--url', url, '--agent', 'bob'], options);
  const refused = await runChild(stoa, ['network', 'send', 'bob', 'Signed'], options);
  assert.equal(refused.code, 1);
  assert.ok(refused.stderr.includes(`:\n${script}\n`), refused.stderr);
  const mended = await runChild('/bin/sh', ['-ec', `rm -rf ada-card\n${script}`], {
    ...options,
    env,
  });
  assert.equal(mended.code, 0, mended.stderr);
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
  const use = (input: string) => runChild(stoa, ['network', 'use-passcode'], { ...options, input });
  const file = join(server.folder, 'stoa-agent.json');
  const before = readFileSync(file, 'utf8');
  await run('sign-up', 'Bob', '--url', url, '--agent', 'bob.json');
  const other = JSON.parse(readFileSync(join(server.folder, 'bob.json'), 'utf8')).passcode;
  for (const [input, expected] of [
    ['', /^stoa: standard input holds no passcode$/],
    [' \n', /^stoa: standard input holds no passcode$/],
    [
      'nip_wrong',
      /^stoa: this is not the passcode of ada; \S*stoa-agent\.json keeps the one before$/,
    ],
    ['two words', /^stoa: this is not the passcode of ada/],
    [other, /^stoa: this is not the passcode of ada/],
  ] as const) {
    const { code, stderr } = await use(input);
    assert.equal(code, 1, input);
    assert.match(stderr, expected);
    assert.equal(readFileSync(file, 'utf8'), before);
  }
  const stale = await run('me');
  assert.match(
    stale.stderr,
    /^stoa: the passcode in \S*stoa-agent\.json is not that of ada at http/,
  );
  const right = await use(`${given.stdout}\n`);
  assert.equal(right.code, 0, right.stderr);
  assert.match((await run('me')).stdout, /^ada@localhost/);
});

test('an agent says by commands who may write to it, and where what it receives is sent', async () => {
  await using server = await startServer({
    flags: ['--practice', '--log-level', 'warn'],
    config: '[network.limits]\nsignups_per_hour_max = 2\n',
  });
  const options = { cwd: server.folder, env: childEnvironment() };
  const run = (agent: string, ...words: string[]) =>
    runChild(stoa, ['network', ...words, '--agent', `${agent}.json`], options);
  const says = async (agent: string, words: string[], expected: string | RegExp) => {
    const { code, stdout, stderr } = await run(agent, ...words);
    assert.deepEqual([code, stderr], [0, ''], words.join(' '));
    if (typeof expected === 'string') assert.equal(stdout, expected);
    else assert.match(stdout, expected);
  };
  const refused = async (agent: string, words: string[], expected: RegExp) => {
    const { code, stdout, stderr } = await run(agent, ...words);
    assert.deepEqual([code, stdout], [1, ''], words.join(' '));
    assert.match(stderr, expected);
  };
  const url = `${server.base}/net`;
  await says('ada', ['sign-up', 'Ada', '--url', url], /./);
  await says('bob', ['sign-up', 'Bob', '--url', url], /./);
  await refused(
    'carol',
    ['sign-up', 'Carol', '--url', url],
    /often for now\. Try again in (\d+ minutes|100 seconds)\.$/,
  );

  await Promise.all([
    says('ada', ['contacts'], 'You have no contacts.'),
    says('ada', ['blocks'], 'You block nobody.'),
    says('ada', ['webhook'], 'No webhook is set.'),
    says('ada', ['directory', '--words', 'ada'], 'ada@localhost "Ada"'),
    says('ada', ['directory', '--capability', 'none'], 'Nobody in the directory fits.'),
    refused('ada', ['block', 'nobody'], /^stoa: nobody of this network is called nobody,/),
    refused('ada', ['block', 'ADA@localhost'], /^stoa: this is you/),
    refused('ada', ['accept', 'bob'], /^stoa: there is no such request; `stoa network requests`/),
    refused('ada', ['unblock', 'nobody'], /^stoa: No account has this address\./),
    ...['', '.', '..'].map((name) =>
      refused('ada', ['unblock', name], /^stoa: nothing can be called "\.{0,2}"$/),
    ),
    refused('ada', ['unblock', 'a/../b?c%'], /^stoa: No account has this address\./),
    refused(
      'ada',
      ['set-webhook', 'ftp://hook.example/'],
      /^stoa: url does not begin with https:\/\/; send an https URL/,
    ),
    refused(
      'ada',
      ['set-webhook', 'https://me@hook.example/'],
      /^stoa: url holds a user name; send an https URL/,
    ),
  ]);
  await says('ada', ['block', 'bob'], 'Blocked: bob');
  await Promise.all([
    says('ada', ['blocks'], /^bob@localhost since \d{4}-\S+Z$/),
    refused(
      'ada',
      ['send', 'bob', 'Well', '--unsigned'],
      /^stoa: you block this account; `stoa network unblock bob` lifts the block$/,
    ),
  ]);
  await says('ada', ['unblock', 'bob'], 'Unblocked: bob');

  // What others write turns no text around and hides nothing.
  const hidden = 'a\u202eb\u2066c\u200fd\u061c\u001b[2J';
  const shown = '"a\\u202eb\\u2066c\\u200fd\\u061c\\u001b[2J"';
  await says('bob', ['send', 'ada', hidden, '--unsigned'], /^Held until/);
  const { stdout: waiting } = await run('ada', 'requests');
  assert.ok(waiting.endsWith(` bob@localhost (unsigned): ${shown}`), waiting);
  await says('ada', ['accept', 'bob'], /^1 bob@localhost/);
  await says('ada', ['read'], `1 bob@localhost (unsigned): ${shown}`);
  const { stdout } = await run('ada', 'read', '--json');
  assert.ok(stdout.includes(`"text":${shown}`));
  assert.equal(JSON.parse(stdout).text, hidden);

  const hook = 'http://127.0.0.1:9/hook';
  await Promise.all([
    says('ada', ['contacts'], /^bob@localhost "Bob" since \d{4}-\S+Z$/),
    says('ada', ['unblock', 'bob'], 'bob was not blocked.'),
    says('ada', ['set-webhook', hook], /^whsec_[A-Za-z0-9+/]{43}=$/),
  ]);
  await Promise.all([
    says('ada', ['remove-contact', 'bob'], 'bob is no contact any more.'),
    says('ada', ['webhook'], `${hook} (called; failed in a row: 0)`),
  ]);
  await Promise.all([
    says('ada', ['remove-contact', 'bob'], 'bob was no contact.'),
    says('ada', ['remove-webhook'], 'No webhook is set.'),
  ]);
  await says('ada', ['webhook', '--json'], '{"webhook":null}');
});

test('an agent is told why its card is invalid, and what to do', async () => {
  await using server = await startServer({ flags: ['--practice', '--log-level', 'warn'] });
  const options = { cwd: server.folder, env: childEnvironment() };
  const run = (...words: string[]) => runChild(stoa, ['network', ...words], options);
  await run('sign-up', 'Ada', '--url', `${server.base}/net`);
  assert.equal((await run('me')).stdout, 'ada@localhost, card valid, requests that wait: 0');
  const file = join(server.folder, 'stoa-agent.json');
  const { passcode } = JSON.parse(readFileSync(file, 'utf8'));
  const remote = `${server.base.replace('://', `://ada:${passcode}@`)}/net/ada/.profile`;
  const author = '-c user.name=Ada -c user.email=ada@localhost';
  const push = async (change: string) => {
    const script = `[ -e card ] || git clone -q ${remote} card; cd card; ${change}
      git ${author} commit -qam change; git push -q`;
    const { code, stderr } = await runChild('/bin/sh', ['-ec', script], options);
    assert.equal(code, 0, stderr);
  };
  const broken = 's/"capabilities": \\[/"capabilities": [7/';
  await push(`sed -i '${broken}' agent.json`);
  assert.match(
    (await run('me')).stdout,
    /^ada@localhost, card invalid, .*\nThe card is invalid: agent\.json does not fit the schema at \/capabilities\/0\. Mend agent\.json in a clone of http:\S+, and push it\.$/,
  );
  await push('git rm -q agent.json');
  assert.match(
    (await run('me')).stdout,
    /^ada@localhost, card missing, .*\nThere is no agent\.json on the branch main of http/,
  );
});

test('stoa network follow says when the network is lost and when it is back', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const flags = ['--practice', '--log-level', 'warn'];
  await using server = await startServer({ folder: folder.path, flags });
  const options = { cwd: folder.path, env: childEnvironment() };
  const run = (...words: string[]) => runChild(stoa, ['network', ...words], options);
  await run('sign-up', 'Ada', '--url', `${server.base}/net`);
  await using follower = startChild(stoa, ['network', 'follow', '--after', '0'], options);
  await run('sign-up', 'Bob', '--url', `${server.base}/net`, '--agent', 'bob.json');
  await run('send', 'ada', 'Hello', '--unsigned', '--agent', 'bob.json');
  const printed = async (lines: readonly string[], count: number) => {
    while (lines.length < count) await setTimeout(10);
  };
  await printed(follower.stdout, 1);
  await server.kill('SIGKILL');
  await printed(follower.stderr, 1);
  const port = new URL(server.base).port;
  await using _ = await startServerWith(['--port', port, ...flags], { folder: folder.path });
  await printed(follower.stderr, 2);
  assert.deepEqual(follower.stderr, [
    `stoa: there is no connection to ${server.base}/net; trying until there is one`,
    `stoa: connected to ${server.base}/net again`,
  ]);
});
