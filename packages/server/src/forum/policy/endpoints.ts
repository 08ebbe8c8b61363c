import { forum_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint, readerEndpoint } from '../forum-endpoint.ts';
import { acceptPolicy } from './accept-policy.ts';
import { readPolicy } from './read-policy.ts';

export function policyEndpoints(forum: Forum): Endpoint[] {
  return [
    readerEndpoint(forum, forum_routes.readPolicy, readPolicy),
    memberEndpoint(forum, forum_routes.acceptPolicy, acceptPolicy, { without_policy: true }),
  ];
}
