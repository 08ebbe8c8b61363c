import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { from_postgres_template } from './templates.ts';

export type Cluster = {
  readonly url: string;
  /** Kills the server, as the power going out would. */
  crash(): Promise<void>;
  /** Starts the server again that has crashed, at the same URL, with what it had committed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};
export type TestDatabase = { readonly url: string; drop(): Promise<void> };

/**
 * Starts a PostgreSQL cluster of its own. It ends with `stop`, and with this process however that
 * ends; it does not keep the process alive. `durable` keeps its data on the disk, with fsync.
 */
export async function startPostgres({ durable = false } = {}): Promise<Cluster> {
  const keeper_path = join(import.meta.dirname, 'postgres-keeper.ts');
  const keeper = spawn(process.execPath, [keeper_path, ...(durable ? ['--durable'] : [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Out of reach of the terminal's Ctrl-C: it ends when its input does, after its users.
    detached: true,
  });
  const complaint = text(keeper.stderr);
  const exited = once(keeper, 'exit');
  const first_line = once(keeper.stdout, 'data').then(([chunk]) => String(chunk).trim());
  const url = await Promise.race([first_line, exited.then(() => undefined)]);
  if (url === undefined) throw new Error(await complaint);

  keeper.unref();
  for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr]) {
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
  const command = async (line: 'crash' | 'restart') => {
    const answered = once(keeper.stdout, 'data');
    keeper.ref();
    keeper.stdin.write(`${line}\n`);
    const is_done = await Promise.race([answered.then(() => true), exited.then(() => false)]);
    keeper.unref();
    if (!is_done) throw new Error(await complaint);
  };
  return {
    url,
    crash: () => command('crash'),
    restart: () => command('restart'),
    async stop() {
      keeper.ref();
      keeper.stdin.end();
      await exited;
    },
  };
}

let cluster_url: Promise<string> | undefined;

/** The cluster that the test runner started, or for a test file run alone, one of its own. */
function clusterUrl(): Promise<string> {
  const given = process.env.STOA_TEST_POSTGRES_URL;
  cluster_url ??= given ? Promise.resolve(given) : startPostgres().then((cluster) => cluster.url);
  return cluster_url;
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(await clusterUrl());
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * A new database of this test's own, empty unless it is for a house. `drop` also throws out who is still
 * connected.
 */
export async function createDatabase({ for_house = false } = {}): Promise<TestDatabase> {
  const name = `stoa_test_${randomBytes(8).toString('hex')}`;
  const template = for_house ? from_postgres_template : '';
  await administer(`create database ${name} ${template} strategy file_copy`);
  const url = new URL(await clusterUrl());
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(`drop database if exists ${name} with (force)`),
  };
}
