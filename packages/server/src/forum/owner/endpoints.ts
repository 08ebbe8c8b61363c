import { type Arguments, type Command, type CommandAnswer, forum_commands } from '@stoa/wire';
import { handler } from '../../http/endpoint.ts';
import type { CommandHandler, RawEndpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { judgePost } from '../moderation/judge-post.ts';
import { settleReport } from '../moderation/settle-report.ts';
import { suspendAccount } from '../moderation/suspend-account.ts';
import { verifyAudit } from '../moderation/verify-audit.ts';
import { appoint } from './appoint.ts';
import { consoleGet, consolePost, enterForm, enterPage } from './console-endpoint.ts';
import { consoleForms } from './console-forms.ts';
import { issueOwnerToken } from './issue-owner-token.ts';
import { listForOperator } from './list-accounts.ts';
import { listReportsForOperator } from './list-reports.ts';
import type { HostMeasures } from './measure-host.ts';
import { order } from './order.ts';
import { makeOwnerLink } from './owner-link.ts';
import { renderAccounts } from './pages/render-accounts.ts';
import { renderAudit } from './pages/render-audit.ts';
import { renderMissing } from './pages/render-notices.ts';
import { renderOverview } from './pages/render-overview.ts';
import { renderReports } from './pages/render-reports.ts';
import { publishNewPolicy } from './publish-new-policy.ts';
import { readPolicyFile } from './read-policy-file.ts';
import { setStorage } from './set-storage.ts';
import { isOn } from './switch-store.ts';
import { tellOperator } from './tell-operator.ts';
import { turn } from './turn-switch.ts';

/** The console of the owner (D-FORUM-67). */
export function ownerConsole(forum: Forum, host: HostMeasures): RawEndpoint[] {
  return [
    enterPage(forum),
    enterForm(forum),
    consoleGet(forum, '', (place) => renderOverview(forum, place, host)),
    consoleGet(forum, '/accounts', (place, { text, cursor }) =>
      renderAccounts(forum, place, { after: cursor('after') ?? 0, handle: text('handle') }),
    ),
    consoleGet(forum, '/reports', (place, { cursor }) =>
      renderReports(forum, place, cursor('before')),
    ),
    consoleGet(forum, '/rules', async (place) =>
      renderMissing(forum, place, { title: 'Rules', current: '/rules' }),
    ),
    consoleGet(forum, '/sandbox', async (place) =>
      renderMissing(forum, place, { title: 'Sandbox', current: '/sandbox' }),
    ),
    consoleGet(forum, '/audit', (place, { cursor }) => renderAudit(forum, place, cursor('before'))),
    ...consoleForms.map(({ path, send }) => consolePost(forum, path, send)),
  ];
}

/** What the operator may order by the admin socket: the same as in the console. */
export function ownerCommands(forum: Forum): CommandHandler[] {
  const telling = <C extends Command>(
    command: C,
    run: (given: Arguments<C>) => Promise<CommandAnswer<C>>,
    listing?: string,
  ) => handler(command, (given) => tellOperator(forum, () => run(given), listing));
  const judging = (status: 'hidden' | 'active') => {
    return async ({ post_id: id, reason }: { post_id: number; reason: string }) => {
      await order(forum, (tx, actor) => judgePost(forum, tx, { actor, id, status, reason }));
      return { said: `Post ${id} is ${status} now.` };
    };
  };
  const suspending = (status: 'suspended' | 'active') => {
    return async ({ account_id: id, reason }: { account_id: number; reason: string }) => {
      const { handle } = await order(forum, (tx, actor) =>
        suspendAccount(forum, tx, { actor, id, status, reason }),
      );
      return { said: `@${handle} is ${status} now.` };
    };
  };
  return [
    telling(forum_commands.ownerLink, async () => {
      const { url } = await makeOwnerLink(forum);
      return { said: url, url };
    }),
    telling(forum_commands.ownerToken, async () => {
      const token = await order(forum, (tx, owner) => issueOwnerToken(forum, tx, owner));
      return { said: token, token };
    }),
    telling(forum_commands.registration, async ({ state }) => {
      const name = 'registration_paused';
      if (state !== undefined) {
        const is_on = state === 'paused';
        await order(forum, (tx, actor) => turn(forum, tx, { actor, name, is_on }));
      }
      const now = (await isOn(forum.read, name)) ? ('paused' as const) : ('open' as const);
      return { said: `Registration is ${now}.`, state: now };
    }),
    telling(
      forum_commands.role,
      async ({ account_id, role }) => {
        const { handle } = await order(forum, (tx, actor) =>
          appoint(forum, tx, { actor, account_id, role }),
        );
        return { said: `@${handle} is ${role} now.` };
      },
      'accounts',
    ),
    telling(
      forum_commands.storage,
      async ({ account_id, quota_bytes }) => {
        const { handle } = await order(forum, (tx, actor) =>
          setStorage(forum, tx, { actor, account_id, quota_bytes }),
        );
        return { said: `@${handle} may store ${quota_bytes} bytes.` };
      },
      'accounts',
    ),
    telling(forum_commands.suspend, suspending('suspended'), 'accounts'),
    telling(forum_commands.restore, suspending('active'), 'accounts'),
    telling(forum_commands.reports, (given) => listReportsForOperator(forum, given)),
    telling(
      forum_commands.resolveReport,
      async ({ report_id: id }) => {
        await order(forum, (tx, actor) => settleReport(forum, tx, { actor, id }));
        return { said: `Report ${id} is resolved.` };
      },
      'reports',
    ),
    telling(forum_commands.hidePost, judging('hidden'), 'reports'),
    telling(forum_commands.restorePost, judging('active'), 'reports'),
    telling(forum_commands.accounts, (given) => listForOperator(forum, given)),
    telling(forum_commands.policyPublish, async ({ file }) => {
      const text = readPolicyFile(file);
      const { version } = await order(forum, (tx, actor) =>
        publishNewPolicy(forum, tx, { actor, text }),
      );
      return { said: `Version ${version} of the policy is in force.` };
    }),
    telling(forum_commands.auditVerify, async () => {
      const { count: entries, broken = null } = await verifyAudit(forum);
      if (broken !== null) {
        return { said: `Entry ${broken} of the audit trail is broken.`, entries, broken };
      }
      const all = entries === 1 ? 'The one entry' : `All ${entries} entries`;
      const hold = entries === 1 ? 'holds' : 'hold';
      return { said: `${all} of the audit trail ${hold}.`, entries, broken };
    }),
  ];
}
