import { forum_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint } from '../forum-endpoint.ts';
import { guest_sweep_ms } from '../limits.ts';
import { changeMe } from './change-me.ts';
import { deleteMe } from './delete-me.ts';
import { readAccount } from './read-account.ts';
import { readMe } from './read-me.ts';
import { sweepGuests } from './sweep-guests.ts';

export function accountsEndpoints(forum: Forum): Endpoint[] {
  forum.jobs.every('forum.sweep-guests', {
    every_ms: guest_sweep_ms,
    run: ({ signal }) => sweepGuests(forum, signal),
  });
  return [
    memberEndpoint(forum, forum_routes.readMe, readMe),
    memberEndpoint(forum, forum_routes.changeMe, changeMe),
    memberEndpoint(forum, forum_routes.deleteMe, deleteMe, { without_policy: true }),
    memberEndpoint(forum, forum_routes.readAccount, readAccount),
  ];
}
