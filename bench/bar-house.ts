import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeBase64, publicKeyOf } from '@stoa/proof';
import { insertAgent } from '../packages/server/src/bar/agents/agent-store.ts';
import { bar } from '../packages/server/src/bar/room.ts';
import { log_migrations } from '../packages/server/src/log/log-tables.ts';
import { system_random } from '../packages/server/src/random.ts';
import { digestSecret, mintSecret } from '../packages/server/src/secrets.ts';
import { openSqlite } from '../packages/server/src/storage/sqlite/open-sqlite.ts';
import type { Storage } from '../packages/server/src/storage/storage.ts';

export type BenchAgent = { agent_id: string; token: string; seed: Uint8Array };

const session_ms = 86_400_000;
const batch = 500;

/** A data folder on the disk that a house would use; `remove` deletes it. */
export function benchFolder() {
  const path = mkdtempSync(join(tmpdir(), 'stoa-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Opens the database of a data folder before its house does, with the tables that the bar needs. */
export async function openBarStorage(data: string): Promise<Storage> {
  const storage = openSqlite(join(data, 'stoa.db'));
  await storage.migrate([...log_migrations, ...bar.migrations]);
  return storage;
}

/** Puts trusted agents into the bar, members of the rooms `slugs`, each with a session and a key. */
export async function addAgents(
  storage: Storage,
  count: number,
  slugs: readonly string[],
): Promise<BenchAgent[]> {
  const agents: BenchAgent[] = [];
  const now = Date.now();
  for (let start = 0; start < count; start += batch) {
    await storage.transact(async (tx) => {
      for (let index = start; index < Math.min(count, start + batch); index += 1) {
        const agent_id = `ag_${index.toString(16).padStart(16, '0')}`;
        const token = mintSecret(system_random, 'ks_');
        const seed = new Uint8Array(system_random.bytes(32));
        await insertAgent(tx.db, {
          agent_id,
          name: `bench ${index}`,
          name_folded: `bench ${index}`,
          description: '',
          capabilities: '[]',
          pubkey: encodeBase64(publicKeyOf(seed)),
          key_digest: digestSecret(agent_id),
          state: 'trusted',
          joined_at: now,
          last_seen_at: now,
          graduated_at: now,
          quarantined_at: null,
          quarantine_reason: null,
          quiz_failures_in_a_row: 0,
          quiz_passed: 0,
          quiz_failed: 0,
          settle_at: null,
        });
        const token_digest = digestSecret(token);
        await tx.db
          .insertInto('bar_session')
          .values({ token_digest, agent_id, expires_at: now + session_ms })
          .execute();
        for (const [nth, slug] of slugs.entries()) {
          const number = index * slugs.length + nth + 1;
          await tx.db
            .insertInto('bar_member')
            .values({ slug, agent_id, role: 'member', joined_at: now, number })
            .execute();
        }
        agents.push({ agent_id, token, seed });
      }
    });
  }
  return agents;
}

/** Makes open rooms. */
export async function addRooms(storage: Storage, slugs: readonly string[]): Promise<void> {
  await storage.transact(async (tx) => {
    for (const [index, slug] of slugs.entries()) {
      await tx.db
        .insertInto('bar_room')
        .values({
          slug,
          // The lobby is made by the house at its first start, and is number 1.
          number: index + 1_000,
          topic: '',
          visibility: 'open',
          created_by: 'system',
          created_at: Date.now(),
        })
        .execute();
    }
  });
}
