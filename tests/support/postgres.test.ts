import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import pg from 'pg';
import { engines, forEachEngine } from './engines.ts';
import { createDatabase, startPostgres } from './postgres.ts';

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

forEachEngine((engine) => {
  if (engine !== 'postgres') return;

  describe('createDatabase', () => {
    it('gives each test an empty PostgreSQL 18 database of its own', async () => {
      const [one, other] = await Promise.all([createDatabase(), createDatabase()]);
      const client = new pg.Client(one.url);
      await client.connect();
      const { rows } = await client.query("select current_setting('server_version') as version");
      assert.match(rows[0].version, /^18\./);
      assert.notEqual(one.url, other.url);
      // Dropping must work under a client that was left connected.
      client.on('error', () => {});
      await one.drop();
      await other.drop();
      assert.equal(await answers(one.url), false);
    });

    it('orders text by language unless told otherwise, so that a forgotten collation shows', async () => {
      const database = await createDatabase();
      const client = new pg.Client(database.url);
      await client.connect();
      const { rows } = await client.query(
        `select 'B' < 'a' as plain, 'B' < 'a' collate "C" as bytes`,
      );
      assert.deepEqual(rows, [{ plain: false, bytes: true }]);
      await client.end();
      await database.drop();
    });
  });

  describe('startPostgres', () => {
    it('ends the cluster on stop', async () => {
      const cluster = await startPostgres();
      assert.equal(await answers(cluster.url), true);
      await cluster.stop();
      assert.equal(await answers(cluster.url), false);
    });

    it('ends the cluster when its user is killed', async () => {
      const module_url = new URL('./postgres.ts', import.meta.url).href;
      const source = `
      const { startPostgres } = await import(${JSON.stringify(module_url)});
      process.stdout.write((await startPostgres()).url);
      setInterval(() => {}, 1000);`;
      const user = spawn(process.execPath, ['--input-type=module', '--eval', source], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [url] = await once(user.stdout, 'data');
      assert.equal(await answers(String(url)), true);
      user.kill('SIGKILL');
      await once(user, 'exit');
      while (await answers(String(url)));
    });
  });
});

describe('forEachEngine', () => {
  const seen: string[] = [];
  forEachEngine((engine) => {
    it('declares the tests of this engine', () => {
      seen.push(engine);
    });
  });
  it('covers every chosen engine', () => assert.deepEqual(seen, engines));
});
