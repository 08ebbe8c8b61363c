import type { CommandAnswer, forum_commands } from '@stoa/wire';
import type { Forum } from '../forum.ts';
import { console_page_max } from '../limits.ts';
import { listAccounts } from './owner-store.ts';
import { shownTable } from './shown-table.ts';

/** Accounts for the operator, with the numbers by which other commands name them. */
export async function listForOperator(
  forum: Forum,
  { after = 0, handle }: { after?: number; handle?: string },
): Promise<CommandAnswer<typeof forum_commands.accounts>> {
  const rows = await listAccounts(forum.read, { after, handle, limit: console_page_max });
  const accounts = rows.map(({ id, role, tier, status, ...row }) => ({
    id,
    handle: row.handle ?? '',
    role,
    tier,
    status,
  }));
  const lines = accounts.map(({ id, ...words }) => [String(id), ...Object.values(words)]);
  const said =
    lines.length === 0
      ? 'There are no such accounts.'
      : shownTable([['number', 'handle', 'role', 'tier', 'status'], ...lines]);
  return { said, accounts };
}
