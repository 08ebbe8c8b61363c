import { RefusalError } from '../../refusal.ts';
import type { RoomAnswer } from '../../room.ts';
import { seal, unseal } from '../../sealed-box.ts';
import { equalDigests } from '../../secrets.ts';
import type { Db, Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { kept_answer_ms } from '../limits.ts';
import { findKeptAnswer, type KeptAnswer, replaceKeptAnswer } from './kept-answer-store.ts';
import type { KeyedRequest } from './keyed-request.ts';

/** The header of an answer that was given before. */
export const replayed = { 'idempotent-replayed': 'true' } as const;

/**
 * What was answered to a request when it came with this key before; undefined if the key is free. Refuses another
 * request under the same key.
 */
export async function findKept(
  forum: Pick<Forum, 'clock'>,
  db: Db,
  { key_digest, fingerprint }: KeyedRequest,
): Promise<KeptAnswer | undefined> {
  const kept = await findKeptAnswer(db, key_digest);
  if (!kept || kept.kept_at + kept_answer_ms <= forum.clock.now()) return undefined;
  if (!equalDigests(kept.fingerprint, fingerprint)) throw new RefusalError('idempotency_conflict');
  return kept;
}

/** Says again what was answered, if it was kept readable. */
export function replay({ status, body }: KeptAnswer): RoomAnswer {
  if (body === null) throw new Error('this answer was kept sealed');
  return { status, body: JSON.parse(body), headers: replayed };
}

/** Says again what was kept under `key`; undefined if it is another key. */
export function replaySealed(kept: KeptAnswer, key: Uint8Array): RoomAnswer | undefined {
  const { status, box, key_digest } = kept;
  const text = box ? unseal(key, boundTo(key_digest), box) : undefined;
  if (!text) return undefined;
  return { status, body: JSON.parse(text.toString('utf8')), headers: replayed };
}

const boundTo = (key_digest: Buffer) => `forum kept answer ${key_digest.toString('hex')}`;

/** Keeps an answer, in the unit of work that it speaks of, so that none is done and not kept. */
export async function keepAnswer(
  { clock }: Pick<Forum, 'clock'>,
  tx: Tx,
  { key_digest, fingerprint }: KeyedRequest,
  answer: { account_id: number | null; status: number; body: unknown },
): Promise<void> {
  const { account_id, status, body } = answer;
  const kept_at = clock.now();
  const kept = { key_digest, fingerprint, account_id, status, box: null, kept_at };
  await replaceKeptAnswer(tx.db, { ...kept, body: JSON.stringify(body) });
}

/** The same for an answer that holds a secret: only who has `key` reads it again. */
export async function keepSealedAnswer(
  { clock, random }: Pick<Forum, 'clock' | 'random'>,
  tx: Tx,
  { key_digest, fingerprint }: KeyedRequest,
  answer: { account_id: number; status: number; body: unknown; key: Uint8Array },
): Promise<void> {
  const { account_id, status, body, key } = answer;
  const box = seal(random, key, boundTo(key_digest), Buffer.from(JSON.stringify(body)));
  const kept_at = clock.now();
  const kept = { key_digest, fingerprint, account_id, status, body: null, box, kept_at };
  await replaceKeptAnswer(tx.db, kept);
}
