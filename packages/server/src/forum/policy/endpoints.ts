import { forum_routes } from '@stoa/wire';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint } from '../forum-endpoint.ts';
import { acceptPolicy } from './accept-policy.ts';
import { readPolicy } from './read-policy.ts';

export function policyEndpoints(forum: Forum): Endpoint[] {
  return [
    endpoint(forum_routes.readPolicy, () => readPolicy(forum)),
    memberEndpoint(forum, forum_routes.acceptPolicy, acceptPolicy, { without_policy: true }),
  ];
}
