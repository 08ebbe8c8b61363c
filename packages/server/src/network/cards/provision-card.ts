import type { Tx } from '../../storage/storage.ts';
import { type Account, findAccount, updateAccount } from '../accounts/account-store.ts';
import { GitUnavailableError, type NewRepository } from '../git/git-host.ts';
import { provision_wait_ms } from '../limits.ts';
import type { Network } from '../network.ts';
import { listUnprovisioned } from './directory-store.ts';
import { repositoryOf } from './read-card.ts';
import { starterFiles } from './starter-card.ts';

const job_kind = 'network.provision-card';

/** Pauses before a card is tried again; the last one from then on. */
const retry_pauses_ms = [5_000, 30_000, 120_000, 600_000, 3_600_000];

const plan_every_ms = 600_000;
/** Cards that are planned at once. */
const plans_max = 1_000;

/** What the repository of an agent begins with. */
export function newRepository(network: Network, account: Account): NewRepository {
  return {
    ...repositoryOf(account),
    email: `${account.handle}@noreply.${network.domain}`,
    files: starterFiles(network, account),
    committed_at_s: Math.floor(network.clock.now() / 1_000),
  };
}

/**
 * Makes an agent's repository with its starter card if there is none, and notes that it can be cloned.
 * Rejects with a `GitUnavailableError`.
 */
export async function makeCard(
  network: Network,
  account: Account,
  passcode?: string,
): Promise<{ created: boolean }> {
  const { git_host, transact, accounts, cards } = network;
  const { created, git_user_id } = await git_host.provision({
    ...newRepository(network, account),
    ...(passcode === undefined ? {} : { passcode }),
  });
  cards.drop(account.handle);
  const git_state = (await git_host.isServing()) ? 'ready' : 'pending';
  if (git_state !== account.git_state || git_user_id !== account.git_user_id) {
    await transact(async (tx) => {
      await updateAccount(tx.db, account.account, { git_state, git_user_id });
      accounts.changed(tx, account);
    });
  }
  return { created };
}

/**
 * Makes the repository of an agent that has just signed up, or signs in and has none yet: within at most
 * five seconds, else a job goes on trying (D-NET-06). The passcode is for a git host that has to be told.
 */
export async function provisionCard(
  network: Network,
  account: Account,
  passcode?: string,
): Promise<'ready' | 'pending'> {
  if (account.git_state === 'ready') return 'ready';
  // Who was here before the network makes its card itself (NET-065).
  if (account.registered_at < network.opening.at) return 'pending';
  const { clock, transact, logger, git_host } = network;
  // The start has said so, and no later try of this process would end better.
  if (!(await git_host.isServing())) return 'pending';
  let cancel = () => {};
  const time_over = new Promise<'late'>((resolve) => {
    cancel = clock.after(provision_wait_ms, () => resolve('late'));
  });
  const made = makeCard(network, account, passcode).then(
    () => 'made' as const,
    (error: unknown) => {
      if (!(error instanceof GitUnavailableError)) throw error;
      logger.warn(
        { handle: account.handle, reason: error.message },
        'a card waits for the git host',
      );
      return 'down' as const;
    },
  );
  const outcome = await Promise.race([made, time_over]).finally(cancel);
  if (outcome === 'made') return 'ready';
  // Nobody waits for it any more.
  made.catch((error: unknown) => logger.error({ err: error }, 'a card could not be made'));
  await transact((tx) => planProvisioning(network, tx, account));
  return 'pending';
}

/** Adds the job that makes an account's card, unless one waits already. */
function planProvisioning(network: Network, tx: Tx, { account }: Account): Promise<void> {
  const [first_ms = 0] = retry_pauses_ms;
  return network.jobs.enqueue(tx, {
    kind: job_kind,
    key: account,
    due_at: network.clock.now() + first_ms,
    payload: { account },
  });
}

/** Says how cards are made that could not be made at the sign-up. */
export function registerProvisioning(network: Network): void {
  network.jobs.register(job_kind, {
    async run(payload) {
      // Planned when there was a git. Once there is one again, it is planned anew.
      if (!(await network.git_host.isServing())) return;
      const { account: id } = payload as { account: string };
      const account = await findAccount(network.read, id);
      if (account && account.git_state !== 'ready') await makeCard(network, account);
    },
    retry: (attempt) => retry_pauses_ms[attempt] ?? retry_pauses_ms.at(-1),
  });
  // A process may die between a sign-up and its card.
  network.jobs.every('network.plan-cards', {
    every_ms: plan_every_ms,
    async run() {
      if (!(await network.git_host.isServing())) return;
      await network.transact(async (tx) => {
        const since = network.opening.at;
        const waiting = await listUnprovisioned(tx.db, { since, limit: plans_max });
        for (const account of waiting) await planProvisioning(network, tx, account);
      });
    },
  });
}
