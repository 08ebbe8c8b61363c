import type { Route } from '@stoa/wire';
import type { Unchecked } from '../http/call.ts';
import { RefusalError } from '../refusal.ts';
import { identify, unauthorized } from './accounts/identify.ts';
import type { Caller, Reader } from './caller.ts';
import type { Forum } from './forum.ts';
import type { MemberNeeds } from './forum-endpoint.ts';

const bearer = /^bearer +(\S+)$/i;

/** The token that a request was sent with; undefined if it has none. Refuses a header that is not one. */
function readToken({ headers }: Unchecked): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const token = bearer.exec(authorization)?.[1];
  if (token === undefined) throw unauthorized();
  return token;
}

/** Admits a request with or without a token; one that is sent must be good (D-FORUM-10). */
export async function admitReader(forum: Forum, request: Unchecked): Promise<{ seen: Reader }> {
  const token = readToken(request);
  const account = token === undefined ? undefined : await identify(forum, forum.read, token);
  return { seen: { account, client: request.client } };
}

/** Admits a member's request: token, write limit, policy, then what the route itself needs (D-FORUM-02). */
export async function admitMember(
  forum: Forum,
  route: Route,
  request: Unchecked,
  needs: MemberNeeds,
): Promise<{ seen: Caller }> {
  const token = readToken(request);
  if (token === undefined) throw unauthorized();
  const account = await identify(forum, forum.read, token);
  const caller: Caller = {
    account,
    token,
    client: request.client,
    act: (work) => forum.transact(work),
  };
  if (route.method !== 'GET') {
    const taken = await forum.writes.count(String(account.id));
    if (!taken.ok) {
      const { retry_after_ms } = taken;
      throw new RefusalError('rate_limited', { retry_after_ms, more: { limit: 'writes' } });
    }
  }
  await needs.check?.(caller, request);
  return { seen: caller };
}
