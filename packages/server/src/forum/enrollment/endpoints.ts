import { forum_routes } from '@stoa/wire';
import { admittedEndpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../room.ts';
import { admitMember } from '../admit.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint } from '../forum-endpoint.ts';
import { sweep_ms } from '../limits.ts';
import { admitNewcomer } from './admit-newcomer.ts';
import { createAccount, replayEnrollment } from './create-account.ts';
import { forgetOver } from './forget-over.ts';
import { requestChallenge } from './request-challenge.ts';
import { refuseFull, requestUpgrade } from './request-upgrade.ts';
import { spendChallenge } from './spend-challenge.ts';
import { wrong_field_hints } from './spent-hints.ts';
import { upgradeAccount } from './upgrade-account.ts';

export function enrollmentEndpoints(forum: Forum): Endpoint[] {
  const { jobs, kept_challenges } = forum;
  jobs.every('forum.forget-over', { every_ms: sweep_ms, run: () => forgetOver(forum) });
  return [
    admittedEndpoint(
      forum_routes.requestChallenge,
      (request) => admitNewcomer(forum, request, kept_challenges.replay, async () => undefined),
      (call, newcomer) => requestChallenge(forum, call, newcomer),
    ),
    admittedEndpoint(
      forum_routes.createAccount,
      (request) =>
        admitNewcomer(
          forum,
          request,
          (keyed) => replayEnrollment(forum, keyed, request.body),
          () => spendChallenge(forum, request, null),
          (challenge) => challenge && wrong_field_hints.enrollment,
        ),
      (call, newcomer) => createAccount(forum, call, newcomer),
    ),
    memberEndpoint(forum, forum_routes.requestUpgrade, requestUpgrade, {
      check: refuseFull,
      replay: kept_challenges.replay,
    }),
    admittedEndpoint(
      forum_routes.upgradeAccount,
      async (request) => {
        const needs = { check: refuseFull };
        const admitted = await admitMember(forum, forum_routes.upgradeAccount, request, needs);
        if ('instead' in admitted) return admitted;
        const { seen: caller, settled } = admitted;
        try {
          const challenge = await spendChallenge(forum, request, caller.account.id);
          return {
            seen: { caller, challenge },
            ...(challenge ? { hint_if_wrong: wrong_field_hints.upgrade } : {}),
            ...(settled ? { settled } : {}),
          };
        } catch (error) {
          settled?.();
          throw error;
        }
      },
      (call, seen) => upgradeAccount(forum, call, seen),
    ),
  ];
}
