import { createHash } from 'node:crypto';
import { canonicalJson, genesis_hash } from '@stoa/proof';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import type { AuditAction, AuditTarget } from '../tables.ts';
import { insertAuditTarget } from './audit-store.ts';

export const audit_stream = 'forum-audit';

/** What stands for the house where no account acted. */
const house = { audit_id: 'house', role: 'house' } as const;

export type Audited = {
  /** Who did it; undefined is the house itself. */
  readonly actor: Pick<Account, 'audit_id' | 'role'> | undefined;
  readonly action: AuditAction;
  readonly target_kind: AuditTarget;
  /** The target's id; of a policy its version, of the room itself 1. */
  readonly target_id: number;
  /** As staff wrote it. */
  readonly reason?: string | undefined;
};

/**
 * Writes an entry of the audit trail with the unit of work whose action it is about (D-FORUM-41). It holds
 * ids and a reason, never a handle or the text of a post.
 */
export async function recordAudit(
  forum: Forum,
  tx: Tx,
  { actor, action, target_kind, target_id, reason = undefined }: Audited,
): Promise<void> {
  const now = forum.clock.now();
  const by = actor ?? house;
  const { position } = await forum.log.append(tx, {
    stream: audit_stream,
    at: now,
    seal(link) {
      const body = canonicalJson({
        position: link.position,
        at: Math.floor(now / 1_000),
        actor_audit_id: by.audit_id,
        actor_role: by.role,
        action,
        target_kind,
        target_id,
        reason: reason ?? null,
        prev_hash: link.prev_hash?.toString('hex') ?? genesis_hash,
      });
      return { body, hash: createHash('sha256').update(body).digest() };
    },
  });
  await insertAuditTarget(tx.db, { target_kind, target_id, position });
}
