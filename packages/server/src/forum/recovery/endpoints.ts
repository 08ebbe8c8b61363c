import { forum_routes } from '@stoa/wire';
import { admittedEndpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint } from '../forum-endpoint.ts';
import { admitRecovery } from './admit-recovery.ts';
import { recoverAccount } from './recover-account.ts';
import { removeRecovery } from './remove-recovery.ts';
import { rotateToken } from './rotate-token.ts';
import { setRecovery } from './set-recovery.ts';

export function recoveryEndpoints(forum: Forum): Endpoint[] {
  return [
    // A stolen token must never wait for consent to be replaced (D-FORUM-14).
    memberEndpoint(forum, forum_routes.rotateToken, rotateToken, {
      without_policy: true,
      replays_rotation: true,
    }),
    memberEndpoint(forum, forum_routes.setRecovery, setRecovery),
    memberEndpoint(forum, forum_routes.removeRecovery, removeRecovery),
    admittedEndpoint(
      forum_routes.recoverAccount,
      (request) => admitRecovery(forum, request),
      (call, seen) => recoverAccount(forum, call, seen),
    ),
  ];
}
