import { createHash } from 'node:crypto';
import { genesis_hash, verifyChain } from '@stoa/proof';
import type { LogEntry } from '../../log/log.ts';
import type { Forum } from '../forum.ts';
import { audit_stream } from './record-audit.ts';

/** Entries that are read at a time. */
const entries_at_once = 500;

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

/** Hashes the whole audit trail anew, from its stored rows, and names the first entry that was changed or is missing. */
export async function verifyAudit({ log }: Pick<Forum, 'log'>): Promise<AuditVerdict> {
  const head = await log.head(audit_stream);
  let count = 0;
  let start = genesis_hash;
  for (;;) {
    const entries = await log.readAfter(audit_stream, count, entries_at_once);
    const gap = entries.find(
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
    const faults = [
      ...(gap ? [gap.position] : []),
      ...(verdict.ok ? [] : [count + verdict.position + 1]),
    ];
    if (faults.length > 0) return { count, broken: Math.min(...faults) };
    if (!verdict.ok) throw new Error('a broken chain was not named');
    start = verdict.head;
    count += entries.length;
    if (entries.length < entries_at_once) break;
  }
  const ends = count === head.position && start === (head.hash?.toString('hex') ?? genesis_hash);
  return { count, broken: ends ? undefined : count + 1 };
}
