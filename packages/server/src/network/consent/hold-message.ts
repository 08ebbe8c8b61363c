import { isoInstant } from '../../clock.ts';
import type { Tx } from '../../storage/storage.ts';
import { readAccountId } from '../accounts/account-id.ts';
import { noteRequest } from '../delivery/note-request.ts';
import type { Said } from '../messages/message.ts';
import { newId, newMessageId } from '../messages/new-id.ts';
import { addressOf, type Network } from '../network.ts';
import { findRequest, insertRequest } from './request-store.ts';

const job_kind = 'network.note-request';

/** Pauses before an event that failed is tried again. */
const retry_pauses_ms = [1_000, 10_000, 60_000];

/** What is kept of a first message until it is answered. */
export type Held = Said & { readonly sent_at: number };

/** What is held in a request. */
export function readHeld(held: string): Held {
  // @NOTE Only `holdMessage` writes this column.
  return JSON.parse(held) as Held;
}

/**
 * Holds the first message of a sender for its recipient's answer. If the recipient blocks the sender, the
 * rows are the same but for one mark, and so is the job that follows (D-NET-33).
 */
export async function holdMessage(
  network: Network,
  tx: Tx,
  asked: {
    from_account: string;
    to_account: string;
    said: Said;
    via: 'leora' | null;
    is_blocked: boolean;
  },
) {
  const { from_account, to_account, said, via, is_blocked } = asked;
  const { clock, random, jobs } = network;
  const now = clock.now();
  const id = newId(random, 'rq_');
  const held: Held = { ...said, sent_at: now };
  network.relations.changed(tx, from_account, to_account);
  await insertRequest(tx.db, {
    id,
    from_account,
    to_account,
    status: 'pending',
    is_hidden: is_blocked ? 1 : 0,
    was_shown: is_blocked ? 0 : 1,
    message_id: newMessageId(random, now),
    held: JSON.stringify(held),
    via,
    created_at: now,
    answered_at: null,
    ask_again_at: null,
  });
  await jobs.enqueue(tx, { kind: job_kind, payload: { id } });
  const to = addressOf(network, readAccountId(to_account).handle);
  return { id, to, status: 'pending' as const, created_at: isoInstant(now) };
}

/** Says how recipients are told of new requests: after the answer, so that its time tells nothing. */
export function registerNotes(network: Network): void {
  network.jobs.register(job_kind, {
    async run(payload) {
      const { id } = payload as { id: string };
      const request = await findRequest(network.read, id);
      if (request?.status !== 'pending' || request.is_hidden === 1) return;
      await noteRequest(network, request.to_account);
    },
    retry: (attempt) => retry_pauses_ms[attempt - 1],
  });
}
