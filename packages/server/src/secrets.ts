import { argon2, createHmac, hash, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from './random.ts';
import type { Migration } from './storage/migrate.ts';
import type { Storage } from './storage/storage.ts';

const argon2OnThread = promisify(argon2);

const secret_bytes = 32;
const salt_bytes = 16;
const house_key_bytes = 32;

/** argon2id at 64 MiB, 3 passes and 1 lane takes about a fifth of a second and is D-FORUM-42's measure. */
const memory_kib = 65_536;
const passes = 3;
const parallelism = 1;
const derived_bytes = 32;

/** A new token or key: `prefix` and 64 small hexadecimal digits that nobody can guess. Shown once. */
export function mintSecret(random: Random, prefix: string): string {
  return prefix + random.bytes(secret_bytes).toString('hex');
}

/** What is stored of a secret: the 32 bytes of its SHA-256. */
export function digestSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Whether two digests are equal, in a time that does not tell where they differ. */
export function equalDigests(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** HMAC-SHA-256 of `text` under `key`: 32 bytes. */
export function keyedDigest(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/**
 * The 32-byte key that argon2id makes of a passphrase (in Unicode form NFC) and a salt of 16 bytes, on
 * the thread pool. Takes 64 MiB for its time: callers bound how many run at once.
 */
export function passphraseKey(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return argon2OnThread('argon2id', {
    message: passphrase.normalize('NFC'),
    nonce: salt,
    memory: memory_kib,
    passes,
    parallelism,
    tagLength: derived_bytes,
  });
}

const phc_head = `$argon2id$v=19$m=${memory_kib},t=${passes},p=${parallelism}$`;

/** What is stored of a passphrase: argon2id under a new salt, in PHC form. */
export async function hashPassphrase(random: Random, passphrase: string): Promise<string> {
  const salt = random.bytes(salt_bytes);
  const key = await passphraseKey(passphrase, salt);
  return phc_head + [salt, key].map((part) => part.toString('base64').replace(/=+$/, '')).join('$');
}

/**
 * Whether `passphrase` is the one that `hashPassphrase` made `stored` of. Throws when `stored` is none
 * of its answers.
 */
export async function verifyPassphrase(passphrase: string, stored: string): Promise<boolean> {
  const [salt, key, ...rest] = stored.startsWith(phc_head)
    ? stored.slice(phc_head.length).split('$')
    : [];
  if (!salt || !key || rest.length > 0) throw new Error('this is no stored passphrase');
  const derived = await passphraseKey(passphrase, Buffer.from(salt, 'base64'));
  return equalDigests(derived, Buffer.from(key, 'base64'));
}

export const secrets_migrations: readonly Migration[] = [
  {
    name: 'secrets-001-house-key',
    async up(db, columns) {
      await db.schema
        .createTable('house_key')
        .addColumn('id', columns.integer, (column) => column.primaryKey())
        .addColumn('key', columns.bytes, (column) => column.notNull())
        .execute();
    },
  },
];

/** The house has one key, and this is its row. */
const house_key_id = 1;

/**
 * The house's own key, 32 bytes: made when first asked for, kept in the database, the same for every
 * process. It keys digests of what must not be stored, such as addresses.
 */
export function houseKey(storage: Storage, random: Random): Promise<Buffer> {
  return storage.transact(async ({ db }) => {
    const row: { key: Buffer } | undefined = await db
      .selectFrom('house_key')
      .select('key')
      .where('id', '=', house_key_id)
      .executeTakeFirst();
    if (row) return row.key;
    const key = random.bytes(house_key_bytes);
    await db.insertInto('house_key').values({ id: house_key_id, key }).execute();
    return key;
  });
}
