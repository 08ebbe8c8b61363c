import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encodeBase64Url, publicKeyOf } from '@stoa/proof';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { system_clock } from '../packages/server/src/clock.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { openHouse, rooms } from '../packages/server/src/house.ts';
import {
  insertAccount,
  nextNumber,
} from '../packages/server/src/network/accounts/account-store.ts';
import {
  encodeObject,
  objectPath,
} from '../packages/server/src/network/git/embedded/loose-objects.ts';
import { system_random } from '../packages/server/src/random.ts';
import { digestSecret } from '../packages/server/src/secrets.ts';
import { openSqlite } from '../packages/server/src/storage/sqlite/open-sqlite.ts';

export type BenchAgent = {
  readonly handle: string;
  readonly address: string;
  readonly passcode: string;
  /** What it signs with, and how that stands on its card. */
  readonly key: KeyObject;
  readonly card_key: string;
};

/** No limit of a sender is met. */
export const network_config = `
[network.limits]
messages_per_minute_max = 100000000
messages_per_day_max = 100000000
`;

const domain = 'localhost';
const batch = 500;
const pkcs8_head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Opens a house on a data folder once, so that its database and its operator are there. */
async function found(data: string): Promise<void> {
  const read = readConfig({
    argv: ['--data', data],
    env: {},
    readFile: () => undefined,
    room_schemas: Object.fromEntries(rooms.map(({ name, settings }) => [name, settings])),
  });
  const { network } = read.rooms;
  const house = await openHouse({
    config: { ...read, port: 0, public_url: '', rooms: network ? { network } : {} },
    clock: system_clock,
    random: system_random,
    logger: pino({ level: 'silent' }),
  });
  await house.close();
}

/** Makes a network with agents in an empty data folder; nobody runs it then. */
export async function makeNetwork(data: string, count: number): Promise<BenchAgent[]> {
  await found(data);
  const storage = openSqlite(join(data, 'stoa.db'));
  const agents: BenchAgent[] = [];
  for (let start = 0; start < count; start += batch) {
    await storage.transact(async ({ db }) => {
      for (let index = start; index < Math.min(count, start + batch); index += 1) {
        const handle = `bench-${index}`;
        const passcode = `nip_${system_random.bytes(32).toString('base64url')}`;
        await insertAccount(db, {
          account: `agent:${handle}`,
          handle,
          kind: 'agent',
          number: await nextNumber(db),
          display_name: `Bench ${index}`,
          description: '',
          capabilities: '[]',
          handler_name: null,
          handler_email: null,
          passcode_digest: digestSecret(passcode),
          registered_at: system_clock.now(),
          git_state: 'ready',
          git_user_id: null,
          read_receipts: 0,
          require_signed: 0,
        });
        const seed = new Uint8Array(system_random.bytes(32));
        const key = createPrivateKey({
          key: Buffer.concat([pkcs8_head, seed]),
          format: 'der',
          type: 'pkcs8',
        });
        const card_key = encodeBase64Url(publicKeyOf(seed));
        agents.push({ handle, address: `${handle}@${domain}`, passcode, key, card_key });
      }
    });
  }
  await storage.close();
  return agents;
}

/** Makes each of these agents a contact of the next, and the last of the first. */
export function makeContacts(data: string, agents: readonly BenchAgent[]): void {
  const db = new Database(join(data, 'stoa.db'));
  const insert = db.prepare('insert or ignore into net_contact values (?, ?, ?)');
  db.transaction(() => {
    for (const [index, { handle }] of agents.entries()) {
      const other = agents[(index + 1) % agents.length]?.handle ?? '';
      const pair = [`agent:${handle}`, `agent:${other}`].sort();
      insert.run(...pair, system_clock.now());
    }
  })();
  db.close();
}

/** Writes the cards of agents, each with its key and some words, as pushes would have left them. */
export function writeCards(data: string, agents: readonly BenchAgent[]): void {
  for (const [index, agent] of agents.entries()) {
    const { handle, address, card_key } = agent;
    const card = {
      schema: 'agent-card',
      schema_version: 1,
      handle,
      display_name: `Bench ${index}`,
      address,
      description: `Looks after subject number ${index} of those that there are.`,
      capabilities: [`subject-${index}`, index % 10 === 0 ? 'concierge' : 'gardening'],
      contact: { inbox: address, webhook: null, email: null },
      keys: { ed25519: card_key },
      links: [],
      updated: '2026-10-10',
    };
    writeRepository(join(data, 'git', handle, '.profile.git'), JSON.stringify(card, null, 2));
  }
}

/** A bare repository with one commit of `agent.json`; nothing waits for the disk here. */
function writeRepository(path: string, card: string): void {
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  const add = (type: string, octets: Buffer) => {
    const { id, stored } = encodeObject({ type, octets });
    write(objectPath(id), stored);
    return id;
  };
  const blob = Buffer.from(add('blob', Buffer.from(`${card}\n`)), 'hex');
  const tree = add('tree', Buffer.concat([Buffer.from('100644 agent.json\0'), blob]));
  const who = 'bench <bench@noreply.localhost> 1790000000 +0000';
  const commit = add(
    'commit',
    Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nCard\n`),
  );
  write('HEAD', 'ref: refs/heads/main\n');
  write('config', '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n');
  write('refs/heads/main', `${commit}\n`);
}

/** Fills an agent's queue as the house would have. */
export function fillQueue(
  data: string,
  { from, to }: { from: BenchAgent; to: BenchAgent },
  count: number,
): void {
  const db = new Database(join(data, 'stoa.db'));
  db.pragma('synchronous = OFF');
  const account = `agent:${to.handle}`;
  const at = 1_790_000_000_000;
  const said = JSON.stringify({ text: 'x'.repeat(200) });
  const message = db.prepare(
    `insert into net_message (number, id, kind, thread, previous, from_account, to_account, seq, previous_queued, said,
      sent_at, delivered_at, is_receipt_given) values (?, ?, 'text', ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
  );
  db.transaction(() => {
    for (let seq = 1; seq <= count; seq += 1) {
      const id = `msg_${String(seq).padStart(22, '0')}`;
      const thread = `th_${'0'.repeat(22)}`;
      const from_account = `agent:${from.handle}`;
      message.run(seq, id, thread, seq - 1, from_account, account, seq, seq - 1, said, at, at);
    }
    db.prepare('insert into net_queue (account, seq, number) values (?, ?, ?)').run(
      account,
      count,
      count,
    );
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
