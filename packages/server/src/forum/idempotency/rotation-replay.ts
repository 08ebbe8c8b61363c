import { RefusalError } from '../../refusal.ts';
import type { RoomAnswer } from '../../room.ts';
import { deriveKey, seal, unseal } from '../../sealed-box.ts';
import { equalDigests, keyedDigest } from '../../secrets.ts';
import { type Account, findByRotation } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import { replayed } from './kept-answer.ts';
import type { KeyedRequest } from './keyed-request.ts';

/** Shorter keys may be guessed by who has stolen a token, so nothing is kept under them (D-FORUM-58). */
const key_characters_min = 32;
const label = 'stoa-forum-rotation-replay-v1';

type Columns = Pick<Account, 'rotation_digest' | 'rotation_box'>;

/** Nothing is kept of the last rotation. */
export const no_rotation: Columns = { rotation_digest: null, rotation_box: null };

const rotationDigest = ({ house_key }: Pick<Forum, 'house_key'>, token: string, key: string) =>
  keyedDigest(house_key, `forum rotation\n${token}\n${key}`);

const boxKey = (token: string, key: string) => deriveKey(Buffer.from(`${token}\n${key}`), label);

/**
 * The columns of an account that keep the answer to a rotation: only the old token together with the very key of the
 * request opens it. Whoever replaces a token sets these in the same statement.
 */
export function keepRotation(
  forum: Pick<Forum, 'house_key' | 'random'>,
  old_token: string,
  keyed: KeyedRequest | undefined,
  answer: RoomAnswer,
): Columns {
  if (!keyed || keyed.key.length < key_characters_min) return no_rotation;
  const { key, fingerprint } = keyed;
  const rotation_digest = rotationDigest(forum, old_token, key);
  const { status, body } = answer;
  const text = JSON.stringify({ fingerprint: fingerprint.toString('hex'), status, body });
  const bound_to = rotation_digest.toString('hex');
  return {
    rotation_digest,
    rotation_box: seal(forum.random, boxKey(old_token, key), bound_to, Buffer.from(text)),
  };
}

/** What was answered to a rotation, for who repeats it with the token that it replaced; undefined if nothing is kept. */
export async function replayRotation(
  forum: Pick<Forum, 'house_key' | 'read'>,
  old_token: string,
  key: string,
  fingerprintOf: (account: Account) => Buffer | undefined,
): Promise<RoomAnswer | undefined> {
  const digest = rotationDigest(forum, old_token, key);
  const account = await findByRotation(forum.read, digest);
  const box = account?.rotation_box;
  if (!account || !box) return undefined;
  const text = unseal(boxKey(old_token, key), digest.toString('hex'), box);
  if (!text) return undefined;
  const { fingerprint, status, body } = JSON.parse(text.toString('utf8'));
  if (!equalDigests(Buffer.from(fingerprint, 'hex'), fingerprintOf(account) ?? Buffer.alloc(0))) {
    throw new RefusalError('idempotency_conflict');
  }
  return { status, body, headers: replayed };
}
