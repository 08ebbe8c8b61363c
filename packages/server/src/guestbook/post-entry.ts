import { sha256 } from '@stoa/proof';
import { entryPreimage, postPayload } from '@stoa/proof/guestbook';
import type { Answer, guestbook_routes } from '@stoa/wire';
import { isoInstant, nextUtcMidnight, utcDate } from '../clock.ts';
import type { Deps } from '../deps.ts';
import type { Call } from '../http/call.ts';
import type { Link } from '../log/log.ts';
import { guestbook_stream, hashDigits } from './entry-view.ts';
import * as store from './guestbook-store.ts';
import { isSigned } from './is-signed.ts';
import { entries_per_day_max } from './limits.ts';
import { notToday } from './rules.ts';

type Route = typeof guestbook_routes.postEntry;

/** Appends a signed line to the book (protocol, Post; D-BOOK-15 gives the order of the checks). */
export async function postEntry(deps: Deps, call: Call<Route>): Promise<Answer<Route>> {
  const { agent, date, message, signature } = call.body;
  const author = await store.findAgent(deps.read, agent);
  if (!author) throw call.refuse('unknown-agent');
  const payload = postPayload({ agent, date, message });
  const is_signed = await isSigned(deps, { public_key: author.public_key, payload, signature });
  if (!is_signed) throw call.refuse('bad-signature');

  const entry = await deps.transact(async (tx) => {
    // One reading of the clock decides the day, both limits and what is hashed (D-BOOK-13).
    const now = deps.clock.now();
    if (date !== utcDate(now))
      throw call.refuse('invalid-request', { detail: `date ${notToday(now)}` });
    if (await store.hasPosted(tx.db, agent, date)) throw call.refuse('already-posted-today');
    if ((await store.countEntries(tx.db, date)) >= entries_per_day_max) {
      throw call.refuse('daily-cap', { retry_after_ms: nextUtcMidnight(now) - now });
    }
    const seal = ({ position, prev_hash }: Link) => {
      const body = entryPreimage({
        agent,
        date,
        message,
        name: author.name,
        postedUtc: isoInstant(now),
        prevHash: hashDigits(prev_hash),
        publicKey: author.public_key,
        seq: position,
        sig: signature,
      });
      return { body, hash: Buffer.from(sha256(body)) };
    };
    const appended = await deps.log.append(tx, { stream: guestbook_stream, at: now, seal });
    await store.insertEntry(tx.db, { seq: appended.position, agent, date });
    return appended;
  });
  return {
    status: 201,
    body: {
      seq: entry.position,
      prevHash: hashDigits(entry.prev_hash),
      entryHash: hashDigits(entry.hash),
      postedUtc: isoInstant(entry.at),
    },
  };
}
