import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { childEnvironment, runChild } from '../support/children.ts';
import { gitOk, repositoryUrl, workTree } from '../support/git.ts';
import { startServer } from '../support/serve.ts';
import { practice_flags } from '../support/served-book.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const stoa = join(import.meta.dirname, '..', '..', 'bin', 'stoa');
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('stoa backup copies the cards along; a house restored from both serves them and takes pushes', async () => {
  const kept = new AsyncDisposableStack();
  await using _ = kept;
  const folder = kept.adopt(temporaryFolder(), (own) => own.remove());
  const server = await startServer({ flags: practice_flags });
  kept.use(server);
  const stoaSays = (...words: string[]) =>
    runChild(stoa, ['--data', server.data, ...words], {
      cwd: folder.path,
      env: childEnvironment(),
    });
  const registered = await fetch(`${server.base}/net/v1/registrations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada' }),
  });
  const agent = await registered.json();
  const tree = await workTree(server, folder.path, agent);
  await tree.commit({ 'notes.txt': 'as it was backed up' });
  await tree.pushOk();
  const backed_up = (await gitOk(tree.path, 'rev-parse', 'HEAD')).trim();
  // What a git at work, or one that died, has lying about is no part of a copy.
  const stored = join(server.data, 'git', 'ada', '.profile.git');
  writeFileSync(join(stored, 'config.lock'), '');
  writeFileSync(join(server.data, 'git', 'a-file'), '');
  mkdirSync(join(stored, 'objects', 'tmp_objdir-incoming-x'));

  const copy = join(folder.path, 'copy.db');
  const copied = await stoaSays('backup', 'copy.db');
  assert.equal(
    copied.stdout,
    `The database was copied to ${copy}.\nThe cards were copied to ${copy}.git.`,
    copied.stderr,
  );
  assert.deepEqual([mode(copy), mode(`${copy}.git`)], ['600', '700']);
  assert.deepEqual(readdirSync(`${copy}.git`).sort(), ['ada', 'leora']);
  const files = readdirSync(`${copy}.git`, { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files.filter((path) => /\.lock$|tmp_/.test(path)),
    [],
  );

  const cards = join(folder.path, 'cards');
  const alone = await stoaSays('network', 'backup-cards', 'cards');
  assert.equal(alone.stdout, `The cards were copied to ${cards}.`, alone.stderr);
  await gitOk(join(cards, 'ada', '.profile.git'), 'fsck', '--full', '--strict');

  // A copy that cannot be whole is none, and what was there before is not touched.
  const again = await stoaSays('network', 'backup-cards', 'cards');
  assert.match(
    again.stderr,
    /^stoa: The cards were not copied to .*cards: \S+cards exists already; name another/,
  );
  assert.deepEqual(readdirSync(cards).sort(), ['ada', 'leora']);
  mkdirSync(join(folder.path, 'other.db.git'));
  const taken = await stoaSays('backup', 'other.db');
  assert.match(
    taken.stderr,
    /^stoa: The database was not copied to .*other\.db: \S+other\.db\.git exists already; name another, or move it away first\.$/,
  );
  assert.ok(!existsSync(join(folder.path, 'other.db')));
  const nowhere = await stoaSays('backup', 'none/copy.db');
  assert.match(
    nowhere.stderr,
    /^stoa: The database was not copied to .*none.copy\.db: there is no folder \S+none; make it first/,
  );

  await tree.commit({ 'notes.txt': 'after the backup' });
  await tree.pushOk();
  await server.kill('SIGTERM');
  const data = join(folder.path, 'restored', 'data');
  mkdirSync(data, { recursive: true });
  renameSync(copy, join(data, 'stoa.db'));
  renameSync(`${copy}.git`, join(data, 'git'));
  const restored = kept.use(
    await startServer({ folder: join(folder.path, 'restored'), flags: practice_flags }),
  );
  const clone = join(folder.path, 'clone');
  await gitOk(folder.path, 'clone', '--quiet', repositoryUrl(restored, 'ada'), clone);
  assert.equal((await gitOk(clone, 'rev-parse', 'HEAD')).trim(), backed_up);
  await tree.pushOk(repositoryUrl(restored, 'ada', agent), 'main');
  await gitOk(clone, 'pull', '--quiet');
  assert.equal(
    (await gitOk(clone, 'rev-parse', 'HEAD')).trim(),
    (await gitOk(tree.path, 'rev-parse', 'HEAD')).trim(),
  );
});
