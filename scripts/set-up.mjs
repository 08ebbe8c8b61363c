// Brings node_modules in step with package-lock.json, then stops. npm runs it before start, test,
// check, bench and chaos, so that a fresh clone needs no other command. It runs on any Node from 20
// on: what it installs brings the Node 24 that everything else runs on.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? '.', '..');
const lock_digest = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const stamp_path = join(root, 'node_modules', '.stoa-set-up');
const is_set_up = existsSync(stamp_path) && readFileSync(stamp_path, 'utf8') === lock_digest;

if (!is_set_up) {
  console.error('stoa: installing packages from the lockfile (once, and after it changes) …');
  const options = [
    // No package of ours needs an install script; none may run.
    '--ignore-scripts',
    // Whatever this shell is set to: Node itself is among the optional ones.
    '--include=dev',
    '--include=optional',
    // Some packages want a newer Node than npm runs on here. They get it: ours.
    '--loglevel=error',
  ];
  const npm = spawnSync('npm', ['ci', ...options], {
    cwd: root,
    // To standard error, all of it: the output belongs to the command that follows.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error('stoa: npm ci failed; what it printed above says why.');
    process.exit(npm.status ?? 1);
  }
  writeFileSync(stamp_path, lock_digest);
}
