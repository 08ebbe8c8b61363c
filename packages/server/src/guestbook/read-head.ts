import type { Answer, guestbook_routes } from '@stoa/wire';
import { isoInstant } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { guestbook_stream, hashDigits } from './entry-view.ts';

type Route = typeof guestbook_routes.readHead;

/** The end of the chain (protocol, Read; D-BOOK-14). */
export async function readHead(deps: Deps): Promise<Answer<Route>> {
  const [last] = await deps.log.readBefore(guestbook_stream, Number.MAX_SAFE_INTEGER, 1);
  return {
    status: 200,
    body: {
      seq: last?.position ?? 0,
      hash: hashDigits(last?.hash),
      updatedUtc: last ? isoInstant(last.at) : null,
    },
  };
}
