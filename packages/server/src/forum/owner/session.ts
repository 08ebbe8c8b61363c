import { RefusalError } from '../../refusal.ts';
import type { Cookie, RawRequest } from '../../room.ts';
import { digestSecret } from '../../secrets.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import { session_idle_s, session_s } from '../limits.ts';
import { recordAudit } from '../moderation/record-audit.ts';
import {
  deleteSession,
  findOwner,
  findSession,
  replaceSessions,
  type Session,
  spendLink,
  touchSession,
} from './owner-store.ts';

const cookie_name = 'stoa_forum_owner';
const secret_bytes = 32;
const secret_form = /^[A-Za-z0-9_-]{43}$/;

/** The account of the owner, which was made before anybody could ask. */
export async function ownerAccount(db: Tx['db']): Promise<Account> {
  const owner = await findOwner(db);
  if (!owner) throw new Error('the forum has no owner');
  return owner;
}

/** The session's cookie, for the console alone; secure where the house is reached by https. */
function sessionCookie(forum: Forum, request: RawRequest, value: string, lives_s: number): Cookie {
  const base = new URL(forum.base());
  const is_secure = base.protocol === 'https:' && request.headers.host === base.host;
  return {
    name: cookie_name,
    value,
    path: `${request.base_path}/owner`,
    same_site: 'strict',
    is_secure,
    lives_s,
  };
}

/** Signs the owner in by a link, which is spent, and ends whatever session there was (D-FORUM-64). */
export async function openSession(
  forum: Forum,
  request: RawRequest,
  link: string,
): Promise<Cookie> {
  const secret = forum.random.bytes(secret_bytes).toString('base64url');
  const csrf = forum.random.bytes(secret_bytes).toString('base64url');
  const now = forum.nowSeconds();
  const is_open = await forum.transact(async (tx) => {
    if (!(await spendLink(tx.db, digestSecret(link), now))) return false;
    const session = { session_digest: digestSecret(secret), csrf, created_at: now, seen_at: now };
    await replaceSessions(tx.db, session);
    const owner = await ownerAccount(tx.db);
    await recordAudit(forum, tx, {
      actor: owner,
      action: 'owner_signed_in',
      target_kind: 'account',
      target_id: owner.id,
    });
    return true;
  });
  if (!is_open) {
    throw new RefusalError('forbidden', {
      detail: 'This link was used, or its ten minutes are over.',
      hint: 'Ask for another: bin/stoa forum owner-link.',
    });
  }
  return sessionCookie(forum, request, secret, session_s);
}

/** The session that a request belongs to; refuses one that has none. */
export async function readSession(forum: Forum, { cookies }: RawRequest): Promise<Session> {
  const secret = cookies[cookie_name];
  const now = forum.nowSeconds();
  const session =
    secret !== undefined && secret_form.test(secret)
      ? await findSession(forum.read, digestSecret(secret))
      : undefined;
  const is_over =
    !session || now >= session.created_at + session_s || now >= session.seen_at + session_idle_s;
  if (is_over) throw new RefusalError('unauthorized');
  if (session.seen_at < now) {
    await forum.transact(({ db }) => touchSession(db, session.session_digest, now));
  }
  return session;
}

/** Ends a session and takes its cookie back. */
export async function closeSession(
  forum: Forum,
  request: RawRequest,
  { session_digest }: Session,
): Promise<Cookie> {
  await forum.transact(({ db }) => deleteSession(db, session_digest));
  return sessionCookie(forum, request, '', 0);
}
