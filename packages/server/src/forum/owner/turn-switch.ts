import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import { recordAudit } from '../moderation/record-audit.ts';
import type { AuditAction } from '../tables.ts';
import { isOn, type Switch, turnSwitch } from './switch-store.ts';

const said: Readonly<Record<Switch, { on: AuditAction; off: AuditAction }>> = {
  registration_paused: { on: 'registration_paused', off: 'registration_resumed' },
  agent_paused: { on: 'agent_paused', off: 'agent_resumed' },
};

/** The room itself, as the audit trail names it: there is one. */
const forum_id = 1;

/** Turns one of the owner's switches; one that is as it should be stays, and nothing is recorded. */
export async function turn(
  forum: Forum,
  tx: Tx,
  { actor, name, is_on }: { actor: Account; name: Switch; is_on: boolean },
): Promise<void> {
  if ((await isOn(tx.db, name)) === is_on) return;
  await turnSwitch(tx.db, name, is_on);
  await recordAudit(forum, tx, {
    actor,
    action: is_on ? said[name].on : said[name].off,
    target_kind: 'forum',
    target_id: forum_id,
  });
}
