import { Client } from 'pg';
import type { Writer } from '../group-commit.ts';
import { StorageUnavailableError } from '../storage.ts';
import { clientSettings } from './client-settings.ts';
import { postgresDb } from './postgres-dialect.ts';

/**
 * Key of the advisory lock that a transaction holds until its commit, so that the writers of all
 * processes take turns and positions become visible in the order in which they are given out.
 */
const write_lock_key = 0x57_0a;

/** A statement that takes longer, the wait for the lock included, fails its batch. */
const statement_timeout_ms = 30_000;

/** A process that holds the lock and falls silent for longer loses it, so that the others go on. */
const idle_timeout_ms = 10_000;

/** The NOTIFY channel of wake-ups; its payload is a topic. */
export const wake_channel = 'stoa_wake';

/** The process's one writing connection, opened when first needed and anew after it broke. */
export type PostgresWriter = Writer & { close(): Promise<void> };

/**
 * A writer on `database_url`. Commands without a result are pipelined: they are sent at once and their
 * failures collected, to be thrown by `commit`.
 */
export function postgresWriter(database_url: string): PostgresWriter {
  let client: Client | undefined;
  let sent: Promise<unknown>[] = [];

  async function connect(): Promise<Client> {
    if (client) return client;
    const fresh = new Client({
      ...clientSettings(database_url, 'stoa writer'),
      pipeline: true,
      statement_timeout: statement_timeout_ms,
      idle_in_transaction_session_timeout: idle_timeout_ms,
    });
    const forget = () => {
      if (client === fresh) client = undefined;
    };
    fresh.on('error', forget);
    fresh.on('end', forget);
    await fresh.connect();
    client = fresh;
    return fresh;
  }

  function current(): Client {
    if (!client) throw new StorageUnavailableError('the connection to the database was lost');
    return client;
  }

  function send(sql_text: string): void {
    const answer = current().query(sql_text);
    answer.catch(() => {});
    sent.push(answer);
  }

  return {
    db: postgresDb({ acquire: async () => current(), release: () => {} }),
    async begin() {
      sent = [];
      try {
        await connect();
      } catch (cause) {
        throw new StorageUnavailableError('the database could not be reached', { cause });
      }
      send('begin');
      // Awaited, so that a unit of work which reads the clock reads it when its turn has come.
      try {
        await current().query(`select pg_advisory_xact_lock(${write_lock_key})`);
      } catch (cause) {
        throw new StorageUnavailableError('the turn to write did not come', { cause });
      }
    },
    savepoint: () => send('savepoint work'),
    release: () => send('release savepoint work'),
    undo: () => send('rollback to savepoint work; release savepoint work'),
    async commit(topics) {
      try {
        if (topics.length > 0) {
          sent.push(
            current().query('select pg_notify($1, topic) from unnest($2::text[]) as topic', [
              wake_channel,
              topics,
            ]),
          );
        }
        const answer = current().query('commit');
        answer.catch(() => {});
        await Promise.all(sent);
        const { command } = await answer;
        // PostgreSQL answers COMMIT with the tag ROLLBACK if the transaction had failed before.
        if (command !== 'COMMIT') throw new Error('the transaction had been aborted');
      } catch (cause) {
        throw new StorageUnavailableError('the commit failed', { cause });
      }
    },
    async rollback() {
      const broken = client;
      if (!broken) return;
      try {
        await broken.query('rollback');
      } catch {
        client = undefined;
        await broken.end().catch(() => {});
      }
    },
    async close() {
      const closing = client;
      client = undefined;
      await closing?.end();
    },
  };
}
