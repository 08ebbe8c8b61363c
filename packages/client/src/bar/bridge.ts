import { genesis_hash } from '@stoa/proof';
import { RefusedError, UnverifiedRoomError } from '../errors.ts';
import { checkLinks, checkSeen } from './check-messages.ts';
import type { ChainPage } from './messages.ts';
import type { Head } from './remembered.ts';

/** Reads a page of a room's chain, links of the ids `from` to `to`. */
export type ReadChainPage = (
  room: string,
  span: { from: number; to?: number },
) => Promise<ChainPage>;

// 10,000 links; what lies further is bridged by later reads, each of which moves the head on.
const pages_max_default = 10;

/** What a bridge found. */
export type Bridged = {
  /** the last place that the links lead to */
  readonly reached: Head;
  /** whether that is as far as was asked */
  readonly is_whole: boolean;
  /** every hash that was passed, by its id */
  readonly passed: ReadonlyMap<number, string>;
};

/**
 * Follows a room's chain from a known place, link by link, to the message `to`, or to its end, over
 * at most `pages_max` answers of the chain (ten if left out).
 *
 * @throws UnverifiedRoomError when the known place is gone or a link does not hold; what the reading
 *   throws, save that a room which is not to be seen, or no more, leads nowhere.
 * @see korova §9
 */
export async function bridge(
  readChain: ReadChainPage,
  span: { room: string; from: Head; to?: number; pages_max?: number },
): Promise<Bridged> {
  const { room, from, to, pages_max = pages_max_default } = span;
  const passed = new Map<number, string>();
  let reached = from;
  for (let pages = 0; pages < pages_max; pages += 1) {
    const page = await readOrNothing(readChain, room, {
      from: passed.size === 0 && from.id > 0 ? from.id : reached.id + 1,
      ...(to === undefined ? {} : { to }),
    });
    if (page === undefined) break;
    const links = [...page.links];
    if (passed.size === 0 && from.id > 0) {
      const first = links.shift();
      checkSeen(room, from, first?.id === from.id ? first.hash : undefined);
      passed.set(from.id, from.hash);
    }
    reached = checkLinks(room, links, reached) ?? reached;
    for (const { id, hash } of links) passed.set(id, hash);
    if (!page.truncated) return { reached, is_whole: true, passed };
    // A page that is cut short and yet empty would be asked for without end.
    if (links.length === 0) break;
  }
  return { reached, is_whole: false, passed };
}

async function readOrNothing(
  readChain: ReadChainPage,
  room: string,
  span: { from: number; to?: number },
): Promise<ChainPage | undefined> {
  try {
    return await readChain(room, span);
  } catch (error) {
    // The room was left, or the agent shut out of it, since the message was read.
    if (error instanceof RefusedError && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/**
 * Checks that the head which a server claims is where its chain leads from `last`, the last message
 * that was shown. The two differ rightly when something was said in between.
 *
 * @throws UnverifiedRoomError with check `head`.
 */
export async function checkClaimedHead(
  readChain: ReadChainPage,
  { room, last, chain_head }: { room: string; last: Head; chain_head: string },
): Promise<void> {
  if (chain_head === last.hash) return;
  if (last.id > 0 && chain_head === genesis_hash) throw headFault(room, last);
  const { passed, is_whole } = await bridge(readChain, { room, from: last });
  if (is_whole && ![...passed.values()].includes(chain_head)) throw headFault(room, last);
}

function headFault(room: string, { id }: Head): UnverifiedRoomError {
  const why = 'the head that the server claims is not on the chain after it';
  return new UnverifiedRoomError({ room, id, check: 'head', why });
}
