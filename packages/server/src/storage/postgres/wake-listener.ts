import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { clientSettings } from './client-settings.ts';
import { wake_channel } from './postgres-writer.ts';

const reconnect_wait_ms = 250;

export type WakeListener = { close(): Promise<void> };

/**
 * Listens for the wake-ups of every process and hands their topics to `wake`. When the connection
 * breaks it is made anew, and `wake('*')` tells that some may have been missed.
 */
export function listenForWakes(database_url: string, wake: (topic: string) => void): WakeListener {
  const closing = new AbortController();
  let client: Client | undefined;

  async function listenOnce(): Promise<void> {
    const fresh = new Client(clientSettings(database_url, 'stoa listener'));
    const ended = new Promise<void>((resolve) => {
      fresh.on('error', () => resolve());
      fresh.on('end', () => resolve());
    });
    fresh.on('notification', ({ payload }) => wake(payload ?? '*'));
    client = fresh;
    try {
      await fresh.connect();
      await fresh.query(`listen ${wake_channel}`);
      wake('*');
      await ended;
    } finally {
      await fresh.end().catch(() => {});
    }
  }

  async function listen(): Promise<void> {
    while (!closing.signal.aborted) {
      await listenOnce().catch(() => {});
      await delay(reconnect_wait_ms, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const listening = listen();
  return {
    async close() {
      closing.abort();
      await client?.end().catch(() => {});
      await listening;
    },
  };
}
