// Shows that the walls stand: each import rule and each lint rule about time, chance, the process and
// the network is broken once in a small copy of the house, and must be reported there and only there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { cruise } from 'dependency-cruiser';
import walls from '../../.dependency-cruiser.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { repository_root } from './source-files.ts';

const server = 'packages/server/src';

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A house in which every import is allowed. */
const sound_house: Record<string, string> = {
  'packages/wire/src/index.ts': "export { Type } from 'typebox';",
  'packages/proof/src/index.ts': "export { ed25519 } from '@noble/curves';",
  'packages/client/src/index.ts': "import '@stoa/wire'; import '@stoa/proof';",
  'packages/web/src/index.ts': "import '@stoa/client';",
  'packages/cli/src/main.ts': "import '@stoa/client'; import 'commander'; import 'node:fs';",
  [`${server}/main.ts`]: "import './house.ts';",
  [`${server}/house.ts`]: "import './bar/room.ts'; import './http/host.ts'; import 'pino';",
  [`${server}/deps.ts`]: "import type { Db } from './storage/storage.ts';",
  [`${server}/clock.ts`]: '',
  [`${server}/http/host.ts`]: "import 'fastify'; import '@stoa/wire'; import 'node:http';",
  [`${server}/http/endpoint.ts`]: "import type { Call } from './host.ts';",
  [`${server}/storage/storage.ts`]: "import 'kysely'; import type { M } from './migrate.ts';",
  [`${server}/storage/migrate.ts`]: "import type { Db } from './storage.ts'; export type M = Db;",
  [`${server}/storage/sqlite/open.ts`]: "import 'better-sqlite3'; import '../../clock.ts';",
  [`${server}/log/append.ts`]: "import 'kysely'; import '../storage/migrate.ts';",
  [`${server}/guestbook/room.ts`]:
    "import type { H } from '../http/host.ts'; import '../http/endpoint.ts';",
  [`${server}/guestbook/post.ts`]:
    "import type { Deps } from '../deps.ts'; import '../log/append.ts'; import './book-store.ts';" +
    "import type { H } from '../http/host.ts'; import 'typebox';",
  [`${server}/guestbook/book-store.ts`]:
    "import 'kysely'; import './tables.ts'; import '../storage/storage.ts';",
  [`${server}/guestbook/tables.ts`]: "import 'kysely';",
  [`${server}/guestbook/migrations.ts`]: "import '../storage/migrate.ts';",
  [`${server}/guestbook/post.test.ts`]:
    "import '../house.ts'; import 'node:test'; import '../../../../tests/support/open-house.ts';",
  [`${server}/bar/room.ts`]: '',
  'tests/support/open-house.ts': `import '../../${server}/house.ts';`,
  'tests/conformance/post.test.ts': "import '../support/open-house.ts'; import '@stoa/client';",
};

/** The rule that each of these files breaks. The files stand beside the sound ones. */
const broken_house: [rule: string, path: string, text: string][] = [
  ['no-cycles', `${server}/log/a.ts`, "import './a.ts';"],
  ['it-exists', `${server}/log/c.ts`, "import './gone.ts';"],
  ['declared', 'packages/proof/src/a.ts', "import '@noble/ciphers';"],
  ['declared', `${server}/http/dev.ts`, "import 'fast-check';"],
  ['tests-stay-tests', `${server}/http/a.ts`, "import '../../../../tests/support/open-house.ts';"],
  ['tests-stay-tests', `${server}/log/d.ts`, "import '../guestbook/post.test.ts';"],
  ['wire-is-data', 'packages/wire/src/a.ts', "import 'node:crypto';"],
  ['wire-is-data', 'packages/wire/src/b.ts', "import '@stoa/proof';"],
  ['proof-is-pure', 'packages/proof/src/b.ts', "import 'node:crypto';"],
  ['proof-is-pure', 'packages/proof/src/c.ts', "import '@stoa/wire';"],
  ['client-runs-anywhere', 'packages/client/src/a.ts', "import 'node:fs';"],
  ['client-runs-anywhere', 'packages/client/src/b.ts', `import '../../server/src/clock.ts';`],
  ['web-is-a-client', 'packages/web/src/a.ts', "import '@stoa/proof';"],
  ['cli-is-a-client', 'packages/cli/src/a.ts', "import '../../server/src/clock.ts';"],
  ['server-is-no-client', `${server}/http/b.ts`, "import '@stoa/client';"],
  ['rooms-do-not-meet', `${server}/guestbook/a.ts`, "import '../bar/room.ts';"],
  ['rooms-do-not-meet', `${server}/front/a.ts`, "import type { B } from '../bar/room.ts';"],
  ['room-without-machinery', `${server}/guestbook/b.ts`, "import 'fastify';"],
  ['room-without-machinery', `${server}/guestbook/c.ts`, "import type { K } from 'kysely';"],
  ['room-without-host', `${server}/guestbook/d.ts`, "import '../http/host.ts';"],
  ['room-without-host', `${server}/karma/room.ts`, "import '../http/host.ts';"],
  ['room-joins-routes', `${server}/guestbook/g.ts`, "import '../http/endpoint.ts';"],
  ['room-without-io', `${server}/guestbook/e.ts`, "import 'node:timers/promises';"],
  ['room-above-engines', `${server}/guestbook/f.ts`, "import '../storage/sqlite/open.ts';"],
  ['store-is-sql', `${server}/guestbook/a-store.ts`, "import '../clock.ts'; using a = null;"],
  ['store-is-sql', `${server}/guestbook/b-store.ts`, "import './book-store.ts';"],
  ['store-is-sql', `${server}/guestbook/c-store.ts`, "import type { Deps } from '../deps.ts';"],
  ['store-is-sql', `${server}/karma/tables.ts`, "import '../log/append.ts';"],
  ['migrations-are-frozen', `${server}/log/migrations.ts`, "import './append.ts';"],
  ['migrations-are-frozen', `${server}/guestbook/migrations/001.ts`, "import '../tables.ts';"],
  ['kernel-below-rooms', `${server}/log/e.ts`, "import '../bar/room.ts';"],
  ['house-is-opened-by-main', `${server}/http/c.ts`, "import '../house.ts';"],
  ['nobody-imports-main', `${server}/http/d.ts`, "import '../main.ts';"],
  ['engines-in-storage', `${server}/log/f.ts`, "import type pg from 'pg';"],
  ['kysely-in-stores', `${server}/http/e.ts`, "import 'kysely';"],
  ['fastify-in-http', `${server}/jobs/a.ts`, "import '@fastify/helmet';"],
  ['storage-below-all', `${server}/storage/a.ts`, "import '../log/append.ts';"],
  ['http-without-rows', `${server}/http/f.ts`, "import '../storage/migrate.ts';"],
  ['network-through-outbound', `${server}/http/g.ts`, "import 'node:dns';"],
  ['conformance-is-black-box', 'tests/conformance/a.ts', `import '../../${server}/house.ts';`],
];

/** Stands for node_modules: each package as an empty module, the workspaces as links. */
function installStandIns(root: string): void {
  const outside = ['typebox', 'commander', 'fastify', 'kysely', 'pino', 'pg', 'better-sqlite3'];
  outside.push('fast-check', '@noble/curves', '@noble/ciphers', '@fastify/helmet');
  for (const name of outside) {
    write(root, {
      [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: 'index.js' }),
      [`node_modules/${name}/index.js`]: '',
    });
  }
  mkdirSync(join(root, 'node_modules/@stoa'));
  for (const name of ['wire', 'proof', 'client', 'web', 'cli', 'server']) {
    cpSync(
      join(repository_root, `packages/${name}/package.json`),
      join(root, `packages/${name}/package.json`),
    );
    symlinkSync(join(root, 'packages', name), join(root, 'node_modules/@stoa', name));
  }
  cpSync(join(repository_root, 'package.json'), join(root, 'package.json'));
}

async function importViolations(files: Record<string, string>): Promise<Set<string>> {
  const folder = temporaryFolder();
  write(folder.path, files);
  installStandIns(folder.path);
  const { output } = await cruise(['packages', 'tests'], {
    ...walls.options,
    baseDir: folder.path,
    validate: true,
    ruleSet: { forbidden: walls.forbidden ?? [] },
  });
  folder.remove();
  assert.ok(typeof output === 'object');
  return new Set(output.summary.violations.map(({ rule, from }) => `${rule.name} ${from}`));
}

describe('the import rules', () => {
  it('let a sound house pass', async () => {
    assert.deepEqual([...(await importViolations(sound_house))], []);
  });

  it('report each broken rule where it is broken', async () => {
    const broken = Object.fromEntries(broken_house.map(([, path, text]) => [path, text]));
    const violations = await importViolations({ ...broken, ...sound_house });
    const missed = broken_house.filter(([rule, path]) => !violations.has(`${rule} ${path}`));
    assert.deepEqual(missed, []);
    for (const path of Object.keys(sound_house)) {
      assert.ok(![...violations].some((violation) => violation.endsWith(` ${path}`)), path);
    }
  });

  it('are each broken by an example above', () => {
    const shown = new Set(broken_house.map(([rule]) => rule));
    const all = (walls.forbidden ?? []).map((rule) => rule.name);
    assert.deepEqual(
      all.filter((name) => name !== undefined && !shown.has(name)),
      [],
    );
  });
});

/** Statements that a file of the server may not hold, and the files that may. */
const ambient: [statement: string, allowed_in: string[]][] = [
  ['export const a = new Date();', ['clock.ts']],
  ['export const a = Date();', ['clock.ts']],
  ['export const a = Date.now();', ['clock.ts']],
  ['export const { now } = Date;', ['clock.ts']],
  ['export const a = Math.random();', ['clock.ts']],
  ["import { randomUUID } from 'node:crypto'; export const a = randomUUID();", ['random.ts']],
  ["import { randomBytes } from 'node:crypto'; export const a = randomBytes(8);", ['random.ts']],
  ['export const a = crypto.subtle;', ['main.ts', 'outbound/a.ts']],
  ['export const a = performance.now();', ['main.ts', 'outbound/a.ts']],
  ['export const a = process.env.HOME;', ['main.ts']],
  ['export const { argv } = process;', ['main.ts']],
  ["import { env } from 'node:process'; export const a = env;", ['random.ts']],
  ["export const a = await fetch('https://example.org/');", ['outbound/a.ts']],
  ["export const a = new WebSocket('wss://example.org/');", ['main.ts', 'outbound/a.ts']],
];

describe('the lint rules about time, chance, the process and the network', () => {
  it('report each where it is not allowed, and only there', async (t) => {
    const folder = temporaryFolder();
    t.after(folder.remove);
    const places = ['clock.ts', 'random.ts', 'main.ts', 'outbound/a.ts', 'bar/post-message.ts'];
    const files = ambient.flatMap(([statement], index) =>
      places.map((place) => [`${index}/${server}/${place}`, `${statement}\n`]),
    );
    write(folder.path, Object.fromEntries(files));
    const reported = new Set<string>();
    for (const index of ambient.keys()) {
      const root = join(folder.path, String(index));
      for (const path of await lintErrors(root)) reported.add(`${index} ${path}`);
    }

    const expected = ambient.flatMap(([, allowed_in], index) =>
      places
        .filter((place) => !allowed_in.includes(place))
        .map((place) => `${index} ${server}/${place}`),
    );
    assert.deepEqual([...reported].sort(), expected.sort());
  });

  it('report a promise that nobody waits for, and Node in proof', async (t) => {
    const folder = temporaryFolder();
    t.after(folder.remove);
    write(folder.path, {
      'packages/server/src/a.ts': 'async function f() {}\nexport function g() {\n  f();\n}\n',
      'packages/proof/src/a.ts': "import { join } from 'node:path';\n\nexport const a = join;\n",
      'packages/server/src/b.ts': "import { join } from 'node:path';\n\nexport const a = join;\n",
    });
    assert.deepEqual(await lintErrors(folder.path), [
      'packages/proof/src/a.ts',
      'packages/server/src/a.ts',
    ]);
  });
});

/** The files under `root` in which Biome, with our configuration, finds an error. */
async function lintErrors(root: string): Promise<string[]> {
  for (const path of ['biome.json', 'scripts/lint']) {
    cpSync(join(repository_root, path), join(root, path), { recursive: true });
  }
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const options = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, [biome, ...options], { cwd: root }, (_error, out) => resolve(out));
  const report: BiomeReport = JSON.parse(await promise);
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  return [...new Set(errors.map(({ location }) => location.path))].sort();
}

type BiomeReport = { diagnostics: { severity: string; location: { path: string } }[] };
