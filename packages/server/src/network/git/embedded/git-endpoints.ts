import { join } from 'node:path';
import { RefusalError } from '../../../refusal.ts';
import type { RawAnswer, RawEndpoint, RawRequest } from '../../../room.ts';
import { type Account, updateAccount } from '../../accounts/account-store.ts';
import { refuseUnavailable } from '../../cards/read-card.ts';
import { wordsToPusher } from '../../cards/words-to-pusher.ts';
import { git_client_limit, git_turns } from '../../limits.ts';
import type { Network } from '../../network.ts';
import { GitUnavailableError } from '../git-host.ts';
import type { EmbeddedHost } from './embedded-host.ts';
import { admitPush, readOwner } from './git-call.ts';
import { openGitTurns } from './git-turns.ts';
import { advertise, type Service, serveFetch } from './serve-fetch.ts';
import { push_settings, servePush } from './serve-push.ts';
import { tellPusher } from './tell-pusher.ts';

/** What git asks for over smart HTTP (D-NET-04); nothing answers its older protocol. */
export function embeddedEndpoints(network: Network, host: EmbeddedHost): RawEndpoint[] {
  const arrival_ms_max = network.config.http.request_timeout_ms;
  const { burst, refill_per_minute } = git_client_limit;
  const requests = network.limits.bucket({
    name: 'net-git-requests',
    capacity: burst,
    refill_ms_per_unit: 60_000 / refill_per_minute,
    keys_max: 10_000,
  });
  const turns = openGitTurns(git_turns);
  /** Handles that are pushed to now: of two pushes of one agent, one alone asks for a hand of git. */
  const pushing = new Map<string, Promise<unknown>>();

  async function refuseTooMany({ client }: RawRequest): Promise<void> {
    const taken = await requests.take(client);
    if (taken.ok) return;
    throw new RefusalError('rate_limited', { retry_after_ms: taken.retry_after_ms });
  }

  /** Does something once git has a hand free for it; `answer` says when that is free again. */
  async function inTurn<T>(
    { client, signal }: RawRequest,
    work: () => Promise<{ answer: T; ended?: Promise<unknown> }>,
  ): Promise<T> {
    if (!(await host.isServing())) throw new GitUnavailableError('there is no git here');
    const giveBack = await turns.take(client, signal);
    if (!giveBack) throw new GitUnavailableError('too many wait for git');
    try {
      const { answer, ended = Promise.resolve() } = await work();
      void ended.catch(() => {}).finally(giveBack);
      return answer;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  async function onePush<T>(handle: string, push: () => Promise<T>): Promise<T> {
    const before = pushing.get(handle) ?? Promise.resolve();
    const own = before.catch(() => {}).then(push);
    pushing.set(handle, own);
    try {
      return await own;
    } finally {
      if (pushing.get(handle) === own) pushing.delete(handle);
    }
  }

  /** The repository of somebody, which must be there. */
  async function pathOf({ handle }: Account): Promise<string> {
    if (!(await host.has(handle))) throw new RefusalError('card_not_found');
    return host.pathOf(handle);
  }

  async function answerRefs(request: RawRequest): Promise<RawAnswer> {
    const asked = /^git-(upload-pack|receive-pack)$/.exec(request.query.get('service') ?? '')?.[1];
    if (asked === undefined) throw new RefusalError('not_found');
    // @NOTE One of the two that the expression above names.
    const service = asked as Service;
    const is_push = service === 'receive-pack';
    const account = is_push ? await admitPush(network, request) : await readOwner(network, request);
    const is_there = await host.has(account.handle);
    const path = is_push && !is_there ? await host.emptyPath() : await pathOf(account);
    const settings = is_push ? push_settings : [];
    const answer = () => advertise(host.git, request, { path, service, settings });
    return inTurn(request, async () => ({ answer: await answer() }));
  }

  async function answerFetch(request: RawRequest): Promise<RawAnswer> {
    const path = await pathOf(await readOwner(network, request));
    return inTurn(request, () => serveFetch(host.git, request, path));
  }

  async function answerPush(request: RawRequest): Promise<RawAnswer> {
    const account = await admitPush(network, request);
    const { handle } = account;
    return onePush(handle, () =>
      inTurn(request, async () => {
        const push = () => servePush(host, request, { handle, arrival_ms_max });
        // Also after a push that failed: it may have changed one branch of several.
        const { answer, is_new } = await host.turns
          .inTurn(handle, push)
          .finally(() => network.cards.drop(handle));
        if (is_new) await noteRepository(network, account);
        const body = tellPusher(answer.body, await wordsToPusher(network, account));
        return { answer: { ...answer, body } };
      }),
    );
  }

  const raw = (method: 'GET' | 'POST', name: string, answer: RawEndpoint['answer']) => ({
    method,
    path: join('/:handle/:repository', name),
    reads: 'stream' as const,
    answer: async (request: RawRequest) => {
      await refuseTooMany(request);
      return answer(request).catch(refuseUnavailable);
    },
  });
  return [
    raw('GET', 'info/refs', answerRefs),
    raw('POST', 'git-upload-pack', answerFetch),
    raw('POST', 'git-receive-pack', answerPush),
  ];
}

/** Notes that an agent has made its repository itself. */
async function noteRepository({ transact, accounts }: Network, account: Account): Promise<void> {
  if (account.git_state === 'ready') return;
  await transact(async (tx) => {
    await updateAccount(tx.db, account.account, { git_state: 'ready' });
    accounts.changed(tx, account);
  });
}
