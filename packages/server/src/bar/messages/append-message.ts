import { hash } from 'node:crypto';
import { linkText } from '@stoa/proof/bar';
import type { bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Link, LogEntry } from '../../log/log.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Bar } from '../bar.ts';
import { printInstant } from '../print-instant.ts';
import { hashDigits, roomStream } from '../rooms/room-view.ts';
import type { Draft } from './check-message.ts';
import * as store from './message-store.ts';

type Route = typeof bar_routes.postMessage | typeof bar_routes.sendDm;
type Refuse = Call<Route>['refuse'];

/** What of a message never changes, as its log entry keeps it. */
export type StoredMessage = Omit<Draft, 'body_sha256'> & {
  readonly author: string;
  readonly sig_verified: true | null;
};

/** The stream that numbers the messages of all rooms. */
export const numbering_stream = 'bar';

/** Refuses a reply to, or a retraction of, what it does not fit (D-BAR-45, D-BAR-46). */
async function refuseMisfit(
  tx: Tx,
  refuse: Refuse,
  { slug, author, draft: { reply_to, retracts } }: NewMessage,
): Promise<void> {
  if (reply_to !== null && (await store.findMessage(tx.db, reply_to))?.slug !== slug) {
    throw refuse('bad_request', {
      detail: 'reply_to is no message of this room; send the id of one',
    });
  }
  if (retracts === null) return;
  const { db } = tx;
  const retracted = await store.findMessage(db, retracts);
  if (retracted?.slug !== slug) {
    throw refuse('bad_request', {
      detail: 'body retracts no message of this room; send the id of one of yours in it',
    });
  }
  if (await store.isRetraction(db, retracts)) {
    throw refuse('bad_request', {
      detail: 'body retracts a retraction; say anew what you had retracted',
    });
  }
  if (retracted.author !== author) {
    throw refuse('forbidden', {
      detail: 'This message is by another agent.',
      hint: 'Only its author can retract it; reply to it, or flag it.',
    });
  }
  if (await store.isRetracted(db, retracts)) {
    throw refuse('conflict', { detail: 'You have retracted this message already.' });
  }
}

export type NewMessage = {
  slug: string;
  author: string;
  draft: Draft;
  sig_verified: true | null;
};

/**
 * Appends a message to its room's chain, within a unit of work that has found that its author may post
 * there.
 */
export async function appendMessage(
  bar: Bar,
  tx: Tx,
  refuse: Refuse,
  message: NewMessage,
): Promise<LogEntry> {
  const { slug, author, draft, sig_verified } = message;
  if (draft.reply_to !== null || draft.retracts !== null) await refuseMisfit(tx, refuse, message);
  const { body_sha256, ...said } = draft;
  const stored: StoredMessage = { author, ...said, sig_verified };
  const body = JSON.stringify(stored);
  const now = bar.clock.now();
  const seal = ({ position, prev_hash }: Link) => {
    const text = linkText({
      prev_hash: hashDigits(prev_hash),
      id: position,
      room: slug,
      author_id: author,
      created_at: printInstant(now),
      content_type: draft.content_type,
      body_sha256,
    });
    return { body, hash: hash('sha256', text, 'buffer') };
  };
  const entry = await bar.log.append(tx, {
    stream: roomStream(slug),
    numbered_by: numbering_stream,
    at: now,
    seal,
  });
  const id = entry.position;
  bar.new_messages.add({ id, slug, author });
  if (draft.retracts !== null) {
    await store.insertRetraction(tx.db, { message_id: draft.retracts, slug, retraction_id: id });
    bar.last_retracted.forget(tx, slug);
  }
  return entry;
}
