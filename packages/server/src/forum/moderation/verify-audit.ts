import { createHash } from 'node:crypto';
import { genesis_hash, verifyChain } from '@stoa/proof';
import type { LogEntry } from '../../log/log.ts';
import type { Forum } from '../forum.ts';
import { audit_stream } from './record-audit.ts';

/** Entries that are read at a time. */
const entries_at_once = 256;

/** What became of the check: how many entries hold, and the first that does not. */
export type AuditVerdict = { readonly count: number; readonly broken: number | undefined };

const hashOf = ({ body }: LogEntry) => createHash('sha256').update(body).digest('hex');

/** Whether an entry says of itself what its row says of it. */
function tellsItsPlace({ body, position, prev_hash }: LogEntry): boolean {
  try {
    const entry = JSON.parse(body);
    const before = prev_hash?.toString('hex') ?? genesis_hash;
    return entry.position === position && entry.prev_hash === before;
  } catch {
    return false;
  }
}

/** The next entries of the trail by their places: so they are read from their rows, whatever a process remembers. */
const readNext = ({ log }: Pick<Forum, 'log'>, count: number) =>
  log.readAt(
    Array.from({ length: entries_at_once }, (_, index) => ({
      stream: audit_stream,
      position: count + index + 1,
    })),
  );

/** Hashes the whole audit trail anew, from its stored rows, and names the first entry that was changed or is missing. */
export async function verifyAudit(forum: Pick<Forum, 'log'>): Promise<AuditVerdict> {
  const head = (await forum.log.heads([audit_stream])).get(audit_stream);
  let count = 0;
  let start = genesis_hash;
  for (;;) {
    const entries = await readNext(forum, count);
    const misplaced = entries.findIndex(
      (entry, index) => entry.position !== count + index + 1 || !tellsItsPlace(entry),
    );
    const verdict = verifyChain(entries, {
      linkOf: (entry) => ({
        hash: entry.hash?.toString('hex') ?? '',
        prev_hash: entry.prev_hash?.toString('hex') ?? genesis_hash,
      }),
      hashOf,
      start,
    });
    const faults = [misplaced, verdict.ok ? -1 : verdict.position].filter((index) => index >= 0);
    if (faults.length > 0) return { count, broken: count + Math.min(...faults) + 1 };
    start = verdict.ok ? verdict.head : start;
    count += entries.length;
    if (entries.length < entries_at_once) break;
  }
  // What was appended meanwhile follows the head that was read before.
  const { position = 0, hash } = head ?? {};
  const ends = count === position ? start === (hash?.toString('hex') ?? start) : count > position;
  return { count, broken: ends ? undefined : count + 1 };
}
