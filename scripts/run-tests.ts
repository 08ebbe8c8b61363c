// `npm test`: node's own test runner over every test file, with one PostgreSQL for all of them.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { compile_cache } from '../tests/support/compile-cache.ts';
import { startPostgres } from '../tests/support/postgres.ts';
import { postgres_template, sqlite_template } from '../tests/support/templates.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { batchTests } from './batch-tests.ts';

const usage = `Usage: npm test -- [options] [path ...]

Runs the test files under the given paths; without a path, all of them.

  --engine <list>  storage engines to cover: sqlite, postgres or both (default: sqlite,postgres)
  --chaos          the kill, race and soak tests at full length, and nothing else
  --help           this text
`;
const test_minutes_max = 5;
/** From so many files on, databases to begin from are made first: it takes about a second. */
const templates_pay_from = 4;
const root = join(import.meta.dirname, '..');

const known_engines = ['sqlite', 'postgres'];
const { flags, paths } = readArguments();

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        engine: { type: 'string', default: known_engines.join(',') },
        chaos: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const unknown = values.engine.split(',').find((name) => !known_engines.includes(name));
    if (unknown !== undefined) throw new Error(`no engine "${unknown}"`);
    return { flags: values, paths: positionals };
  } catch (error) {
    console.error(`stoa: ${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

function testFiles(): string[] {
  const folders = flags.chaos ? ['tests/chaos'] : ['packages', 'clients', 'tests'];
  const all = globSync(
    folders.map((folder) => `${folder}/**/*.test.{ts,mjs}`),
    { cwd: root, exclude: (name) => name === 'node_modules' },
  ).sort();
  if (paths.length === 0) return all;
  const wanted = paths.map((path) => normalize(path).replace(/\/$/, ''));
  return all.filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`)));
}

/** The environment of the tests: none of the settings of a house that this shell may run. */
function testEnvironment(added: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('STOA_') || name.startsWith('STOA_TEST_'),
  );
  return {
    ...Object.fromEntries(kept),
    STOA_TEST_ENGINES: flags.engine,
    NODE_COMPILE_CACHE: compile_cache,
    ...added,
    ...(flags.chaos ? { STOA_CHAOS: 'full' } : {}),
  };
}

async function runTests(files: string[], added: NodeJS.ProcessEnv): Promise<number> {
  const options = [
    `--import=${pathToFileURL(join(root, 'tests', 'support', 'light-tracking.ts'))}`,
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${availableParallelism() + 1}`,
    ...(flags.chaos ? [] : [`--test-timeout=${test_minutes_max * 60_000}`]),
  ];
  const runner = spawn(process.execPath, [...options, ...files], {
    cwd: root,
    env: testEnvironment(added),
    stdio: 'inherit',
  });
  // The runner ends first, whatever ends this run; then PostgreSQL can be stopped.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => runner.kill(signal));
  }
  const [code, signal] = await once(runner, 'exit');
  return code ?? 128 + constants.signals[signal as NodeJS.Signals];
}

/** Makes databases that houses begin from, and says where they are; without them each house makes its own. */
function makeTemplates(folder: string, postgres_url: string | undefined): NodeJS.ProcessEnv {
  const program = join(root, 'tests', 'support', 'make-templates.ts');
  const given = [program, folder, ...(postgres_url ? [postgres_url] : [])];
  const { status } = spawnSync(process.execPath, given, { stdio: 'inherit' });
  if (status !== 0) return {};
  return {
    STOA_TEST_SQLITE_TEMPLATE: join(folder, sqlite_template),
    ...(postgres_url ? { STOA_TEST_POSTGRES_TEMPLATE: postgres_template } : {}),
  };
}

if (flags.help) {
  process.stdout.write(usage);
} else {
  const files = testFiles();
  if (files.length === 0) {
    console.error(`stoa: no test files under ${paths.join(', ') || 'the repository'}`);
    process.exit(1);
  }
  const given_url = process.env.STOA_TEST_POSTGRES_URL;
  const cluster =
    flags.engine.includes('postgres') && !given_url ? await startPostgres() : undefined;
  const folder = temporaryFolder();
  try {
    const postgres_url = given_url ?? cluster?.url;
    const postgres = postgres_url ? { STOA_TEST_POSTGRES_URL: postgres_url } : {};
    const templates =
      files.length < templates_pay_from ? {} : makeTemplates(folder.path, cluster?.url);
    const batches = flags.chaos ? files : batchTests(root, files, join(folder.path, 'batches'));
    process.exitCode = await runTests(batches, { ...templates, ...postgres });
  } finally {
    await cluster?.stop();
    folder.remove();
  }
}
