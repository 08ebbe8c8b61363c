import { RefusalError } from '../../refusal.ts';
import { judgePost } from '../moderation/judge-post.ts';
import { settleReport } from '../moderation/settle-report.ts';
import { suspendAccount } from '../moderation/suspend-account.ts';
import { appoint, given_roles } from './appoint.ts';
import { type ConsoleForm, seeOther } from './console-endpoint.ts';
import type { Form } from './console-form.ts';
import { issueOwnerToken } from './issue-owner-token.ts';
import { order } from './order.ts';
import { renderToken } from './pages/render-notices.ts';
import { publishNewPolicy } from './publish-new-policy.ts';
import { closeSession } from './session.ts';
import { setStorage } from './set-storage.ts';
import { turn } from './turn-switch.ts';

const sendRegistration: ConsoleForm = async (forum, { form, place }) => {
  const is_on = form.flag('paused');
  const name = 'registration_paused';
  await order(forum, (tx, actor) => turn(forum, tx, { actor, name, is_on }));
  return seeOther(place, '/owner');
};

const sendAgent: ConsoleForm = async (forum, { form, place }) => {
  const is_on = form.flag('paused');
  const name = 'agent_paused';
  await order(forum, (tx, actor) => turn(forum, tx, { actor, name, is_on }));
  return seeOther(place, '/owner');
};

const sendRole: ConsoleForm = async (forum, { form, place }) => {
  const account_id = form.integer('account_id');
  const role = form.oneOf('role', given_roles);
  await order(forum, (tx, actor) => appoint(forum, tx, { actor, account_id, role }));
  return seeOther(place, `/owner/accounts#a${account_id}`);
};

const sendStorage: ConsoleForm = async (forum, { form, place }) => {
  const account_id = form.integer('account_id');
  const quota_bytes = form.integer('quota_bytes');
  await order(forum, (tx, actor) => setStorage(forum, tx, { actor, account_id, quota_bytes }));
  return seeOther(place, `/owner/accounts#a${account_id}`);
};

const sendSuspension: ConsoleForm = async (forum, { form, place }) => {
  const id = form.integer('account_id');
  const status = form.oneOf('status', ['suspended', 'active']);
  const reason = form.reason('reason');
  await order(forum, (tx, actor) => suspendAccount(forum, tx, { actor, id, status, reason }));
  return seeOther(place, `/owner/accounts#a${id}`);
};

/** Where the page of reports on which a form stood shows its report. */
const backToReport = (form: Form): string => {
  const [report_id, before] = [form.integer('report_id'), form.integer('before')];
  return `/owner/reports${before === 0 ? '' : `?before=${before}`}#r${report_id}`;
};

const sendPost: ConsoleForm = async (forum, { form, place }) => {
  const id = form.integer('post_id');
  const status = form.oneOf('status', ['hidden', 'active']);
  const reason = form.reason('reason');
  const back = backToReport(form);
  await order(forum, (tx, actor) => judgePost(forum, tx, { actor, id, status, reason }));
  return seeOther(place, back);
};

const sendReport: ConsoleForm = async (forum, { form, place }) => {
  const id = form.integer('report_id');
  const back = backToReport(form);
  await order(forum, (tx, actor) => settleReport(forum, tx, { actor, id }));
  return seeOther(place, back);
};

const sendPolicy: ConsoleForm = async (forum, { form, place }) => {
  const text = form.text('policy');
  await order(forum, (tx, actor) => publishNewPolicy(forum, tx, { actor, text }));
  return seeOther(place, '/owner');
};

const sendRule: ConsoleForm = async (_forum, { form }) => {
  form.integer('rule_id');
  form.flag('locked');
  // There are no rules in this version, so none has this id.
  throw new RefusalError('not_found', { detail: 'There is no such rule.' });
};

const sendToken: ConsoleForm = async (forum, { place }) => {
  const token = await order(forum, (tx, owner) => issueOwnerToken(forum, tx, owner));
  return renderToken(forum, place, token);
};

const sendLeave: ConsoleForm = async (forum, { request, session, place }) => ({
  ...seeOther(place, '/'),
  cookies: [await closeSession(forum, request, session)],
});

/** The forms of the console, by where they are sent (D-FORUM-67). */
export const consoleForms: readonly { path: string; send: ConsoleForm }[] = [
  { path: '/registration', send: sendRegistration },
  { path: '/roles', send: sendRole },
  { path: '/storage', send: sendStorage },
  { path: '/accounts', send: sendSuspension },
  { path: '/posts', send: sendPost },
  { path: '/reports', send: sendReport },
  { path: '/rules', send: sendRule },
  { path: '/agent', send: sendAgent },
  { path: '/policy', send: sendPolicy },
  { path: '/token', send: sendToken },
  { path: '/leave', send: sendLeave },
];
