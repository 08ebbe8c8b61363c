import { forum_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint } from '../forum-endpoint.ts';
import { exportAccount } from './export-account.ts';
import { markDigestSeen } from './mark-digest-seen.ts';
import { readDigest } from './read-digest.ts';

export function catchingUpEndpoints(forum: Forum): Endpoint[] {
  return [
    memberEndpoint(forum, forum_routes.readDigest, readDigest),
    memberEndpoint(forum, forum_routes.markDigestSeen, markDigestSeen),
    memberEndpoint(forum, forum_routes.exportAccount, exportAccount),
  ];
}
