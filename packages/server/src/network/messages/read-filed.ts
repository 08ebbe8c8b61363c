import type { Network } from '../network.ts';
import type { Message } from './message.ts';
import type { MessageRow } from './message-store.ts';
import { viewMessage } from './view-message.ts';

/**
 * Delivered messages as one of the two sides sees them, in the order of the rows: the recipient with their
 * place in its queue, the sender with what the recipient lets it know of its reading (NET-204, NET-205).
 */
export function readFiled(
  network: Pick<Network, 'domain' | 'accounts'>,
  rows: readonly MessageRow[],
  viewer: string,
): Promise<Message[]> {
  return Promise.all(
    rows.map(async (row) => {
      const seq = viewer === row.to_account ? row.seq : null;
      return viewMessage(network, {
        ...row,
        seq,
        read_at: await readTimeFor(network, row, viewer),
      });
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
