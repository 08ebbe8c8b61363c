import { isoInstant } from '../../clock.ts';
import { queueOf } from '../delivery/queue.ts';
import type { Network } from '../network.ts';
import { unseenOf } from './keep-unseen.ts';
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
  const places = rows.map(placeOf);
  const entries = places.length === 0 ? [] : await network.log.readAt(places);
  const bodies = new Map(
    entries.map(({ stream, position, body }) => [`${stream} ${position}`, body]),
  );
  return Promise.all(
    rows.map(async (row) => {
      const { stream, position } = placeOf(row);
      const body = bodies.get(`${stream} ${position}`);
      if (body === undefined) throw new Error(`message ${row.id} is in no queue`);
      // @NOTE Only `deliver` and `keepUnseen` write to these streams.
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

/** Where the text of a message stands. */
const placeOf = ({ to_account, seq, is_unseen }: MessageRow) => ({
  stream: is_unseen === 1 ? unseenOf(to_account) : queueOf(to_account),
  position: seq,
});

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
