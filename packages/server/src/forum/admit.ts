import type { Route } from '@stoa/wire';
import type { Unchecked } from '../http/call.ts';
import { RefusalError } from '../refusal.ts';
import type { RoomAnswer } from '../room.ts';
import { digestSecret } from '../secrets.ts';
import { findByToken, forgetRotation, type Member } from './accounts/account-store.ts';
import { identifyMember, unauthorized } from './accounts/identify.ts';
import { memberKey } from './accounts/members.ts';
import type { Caller, Reader } from './caller.ts';
import { checkBody } from './check-body.ts';
import type { Forum } from './forum.ts';
import type { MemberNeeds } from './forum-endpoint.ts';
import { findKept, keepAnswer, replay } from './idempotency/kept-answer.ts';
import { type KeyedRequest, readKeyedRequest } from './idempotency/keyed-request.ts';
import { replayRotation } from './idempotency/rotation-replay.ts';
import { acceptsPolicy, currentPolicy, policyOutdated } from './policy/current-policy.ts';

/** A request that is let in with what its use case is given, or answered at once. */
export type Admitted<Seen> =
  | { readonly seen: Seen; readonly hint_if_wrong?: string; readonly settled?: () => void }
  | { readonly instead: RoomAnswer };

const bearer = /^bearer +(\S+)$/i;

/** The token that a request was sent with; undefined if it has none. Refuses a header that is not one. */
function readToken({ headers }: Unchecked): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const token = bearer.exec(authorization)?.[1];
  if (token === undefined) throw unauthorized();
  return token;
}

/** Whose live token has this `memberKey`; the token is thereby in use. */
async function identifySender(forum: Forum, key: string): Promise<Member> {
  const account = await identifyMember(forum, key);
  const { id, rotation_digest } = account;
  if (rotation_digest !== null) {
    // Whoever uses the new token has it; the old one opens nothing from now on (D-FORUM-58).
    await forum.transact(async (tx) => {
      await forgetRotation(tx.db, id, rotation_digest);
      forum.members.forget(tx, key);
    });
  }
  return account;
}

/** Admits a request with or without a token; one that is sent must be good (D-FORUM-10). */
export async function admitReader(forum: Forum, request: Unchecked): Promise<{ seen: Reader }> {
  const token = readToken(request);
  const account = token === undefined ? undefined : await identifySender(forum, memberKey(token));
  return { seen: { account, client: request.client } };
}

/** Admits a member's request in the order of D-FORUM-02, up to what the route itself needs. */
export async function admitMember(
  forum: Forum,
  route: Route,
  request: Unchecked,
  needs: MemberNeeds,
): Promise<Admitted<Caller>> {
  checkBody(request);
  const token = readToken(request);
  if (token === undefined) throw unauthorized();
  const again = needs.replays_rotation ? await repeatRotation(forum, request, token) : undefined;
  if (again) return { instead: again };
  const key = memberKey(token);
  const account = await identifySender(forum, key);
  const keyed = readKeyedRequest(forum, request, { account_id: account.id });
  const given = { route, request, needs, account, token, key, keyed };
  if (!keyed) return { seen: await letIn(forum, given) };
  const settled = await forum.turns.take(keyed.key_digest.toString('hex'));
  try {
    const kept = await findKept(forum, forum.read, keyed);
    const instead =
      kept && !kept.box
        ? await tellAgain(replay(kept), account, needs)
        : needs.replays_rotation
          ? await repeatRotation(forum, request, token)
          : await needs.replay?.(keyed);
    if (instead) {
      settled();
      return { instead };
    }
    return { seen: await letIn(forum, given), settled };
  } catch (error) {
    settled();
    throw error;
  }
}

/** What was kept of an answer, as it is said again. */
async function tellAgain(
  answer: RoomAnswer,
  account: Member,
  { retell }: MemberNeeds,
): Promise<RoomAnswer> {
  return retell ? { ...answer, body: await retell(answer.body, account) } : answer;
}

/** What was answered to the rotation that replaced this token, if this request is the same one. */
async function repeatRotation(forum: Forum, request: Unchecked, token: string) {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || (await findByToken(forum.read, digestSecret(token)))) return;
  return replayRotation(forum, token, key, (account) => {
    return readKeyedRequest(forum, request, { account_id: account.id })?.fingerprint;
  });
}

/** What a request has to pass after it is known whose it is and that it is no repetition. */
async function letIn(
  forum: Forum,
  given: {
    route: Route;
    request: Unchecked;
    needs: MemberNeeds;
    account: Member;
    token: string;
    /** Its `memberKey`. */
    key: string;
    keyed: KeyedRequest | undefined;
  },
): Promise<Caller> {
  const { route, request, needs, account, token, key, keyed } = given;
  const transact = needs.posts ? forum.transactPost : forum.transact;
  const act: Caller['act'] = (work) =>
    transact(async (tx) => {
      await identifyMember(forum, key, tx);
      const kept = keyed && (await findKept(forum, tx.db, keyed));
      // @NOTE The key was kept for a request to this very route, so what was answered is of its kind.
      if (kept) return replay(kept) as Awaited<ReturnType<typeof work>>;
      const answer = await work(tx);
      if (keyed) {
        const { status, body } = answer;
        await keepAnswer(forum, tx, keyed, { account_id: account.id, status, body });
      }
      return answer;
    });
  const caller: Caller = {
    account,
    token,
    keyed,
    act,
    get client() {
      return request.client;
    },
  };
  if (route.method !== 'GET') {
    await countWrite(forum, account.id);
    if (!needs.without_policy) await assertPolicy(forum, account);
  }
  await needs.check?.(caller, request);
  return caller;
}

async function countWrite(forum: Forum, account_id: number): Promise<void> {
  const taken = await forum.writes.count(String(account_id));
  if (taken.ok) return;
  const { retry_after_ms } = taken;
  throw new RefusalError('rate_limited', { retry_after_ms, more: { limit: 'writes' } });
}

async function assertPolicy(forum: Forum, account: Member): Promise<void> {
  const policy = await currentPolicy(forum);
  if (!acceptsPolicy(account, policy)) throw policyOutdated(policy);
}
