import type { Head } from '../../http/call.ts';
import { digestSecret } from '../../secrets.ts';
import type { Account } from '../accounts/account-store.ts';
import { browser_session_ms } from '../limits.ts';
import type { Network } from '../network.ts';
import type { Viewer } from '../pages/network-page.ts';
import {
  deleteBrowserSession,
  findBrowserSession,
  insertBrowserSession,
} from './browser-session-store.ts';

const cookie_bytes = 32;
const sent_cookie = /(?:^|;\s*)ni_agent=([A-Za-z0-9_-]{1,100})(?:;|$)/;

type Request = Pick<Head, 'headers' | 'base_path'>;

/** Host-only, and no script reads it; it shows pages and authenticates no `/v1` route (D-NET-12). */
function cookie({ base_path }: Request, value: string, lives_ms: number): string {
  const max_age = Math.floor(lives_ms / 1_000);
  return `ni_agent=${value}; Max-Age=${max_age}; Path=${base_path || '/'}; HttpOnly; Secure; SameSite=Lax`;
}

const sentDigest = ({ headers }: Request): Buffer | undefined => {
  const [, value] = sent_cookie.exec(headers.cookie ?? '') ?? [];
  return value === undefined ? undefined : digestSecret(value);
};

/** Signs an agent in on pages; answers the header that sets its cookie. */
export async function openBrowserSession(
  { random, clock, transact }: Network,
  request: Request,
  { account }: Account,
): Promise<string> {
  const value = random.bytes(cookie_bytes).toString('base64url');
  await transact(({ db }) =>
    insertBrowserSession(db, {
      digest: digestSecret(value),
      account,
      expires_at: clock.now() + browser_session_ms,
    }),
  );
  return cookie(request, value, browser_session_ms);
}

/** Ends the session of a request, if it has one; answers the header that takes its cookie back. */
export async function endBrowserSession(network: Network, request: Request): Promise<string> {
  const digest = sentDigest(request);
  if (digest) await network.transact(({ db }) => deleteBrowserSession(db, digest));
  return cookie(request, '', 0);
}

/** The agent that looks at a page, if it has signed in (NET-036). */
export async function signedInAgent(
  { accounts, clock, read }: Network,
  request: Request,
): Promise<Account | undefined> {
  const digest = sentDigest(request);
  const session = digest && (await findBrowserSession(read, digest));
  if (!session || session.expires_at <= clock.now()) return undefined;
  return accounts.byId(session.account);
}

/** Who looks at a page. */
export async function viewerOf(network: Network, request: Request): Promise<Viewer> {
  return { base_path: request.base_path, visitor: await signedInAgent(network, request) };
}
