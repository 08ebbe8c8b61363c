import { isoInstant } from '../../clock.ts';
import { queueOf } from '../delivery/queue.ts';
import type { Network } from '../network.ts';
import type { Message } from './message.ts';
import type { MessageRow } from './message-store.ts';

/**
 * Delivered messages as one of the two sides sees them, in the order of the rows: the recipient with their
 * place in its queue, the sender with what the recipient lets it know of its reading (NET-204, NET-205).
 */
export async function readFiled(
  network: Pick<Network, 'log' | 'accounts'>,
  rows: readonly MessageRow[],
  viewer: string,
): Promise<Message[]> {
  const places = rows.map(({ to_account, seq }) => ({
    stream: queueOf(to_account),
    position: seq,
  }));
  const entries = places.length === 0 ? [] : await network.log.readAt(places);
  const bodies = new Map(
    entries.map(({ stream, position, body }) => [`${stream} ${position}`, body]),
  );
  return Promise.all(
    rows.map(async (row) => {
      const body = bodies.get(`${queueOf(row.to_account)} ${row.seq}`);
      if (body === undefined) throw new Error(`message ${row.id} is in no queue`);
      // @NOTE Only `deliver` writes to queues.
      const message = JSON.parse(body) as Message;
      const seen_at = await readTimeFor(network, row, viewer);
      return {
        ...message,
        seq: viewer === row.to_account ? message.seq : null,
        read_at: seen_at === null ? null : isoInstant(seen_at),
      };
    }),
  );
}

/** When the recipient read a message, as far as the viewer may know it. */
async function readTimeFor(
  { accounts }: Pick<Network, 'accounts'>,
  { to_account, read_at, is_receipt_given }: MessageRow,
  viewer: string,
): Promise<number | null> {
  if (read_at === null || viewer === to_account) return read_at;
  if (is_receipt_given === 0) return null;
  return (await accounts.byId(to_account))?.read_receipts === 1 ? read_at : null;
}
