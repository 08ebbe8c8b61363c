import type { forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { LogEntry } from '../../log/log.ts';
import type { Forum } from '../forum.ts';
import { beside_post_max } from '../limits.ts';
import type { AuditTarget } from '../tables.ts';
import { listAuditPositions } from './audit-store.ts';
import { audit_stream } from './record-audit.ts';

export type AuditEntry = Static<typeof forum_schemas.AuditEntry>;

/** An entry of the trail with its hash, as it is shown. */
export function auditView({ body, hash }: LogEntry): AuditEntry {
  // @NOTE What was appended is what recordAudit printed.
  const entry = JSON.parse(body) as Omit<AuditEntry, 'hash'>;
  return { ...entry, hash: hash?.toString('hex') ?? '' };
}

/** What the trail says of a target: its newest entries, in order. */
export async function readAuditOf(
  forum: Forum,
  kind: AuditTarget,
  id: number,
): Promise<AuditEntry[]> {
  const positions = await listAuditPositions(forum.read, { kind, id }, beside_post_max);
  const places = positions.map((position) => ({ stream: audit_stream, position }));
  return (await forum.log.readAt(places)).map(auditView);
}
