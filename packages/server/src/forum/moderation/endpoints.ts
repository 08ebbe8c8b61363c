import { forum_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint } from '../forum-endpoint.ts';
import { refuseUnlessAdministrator, refuseUnlessStaff } from './acting-staff.ts';
import { inspectPost } from './inspect-post.ts';
import { listReports } from './list-reports.ts';
import { moderateAccount, retellModeration } from './moderate-account.ts';
import { moderatePost } from './moderate-post.ts';
import { resolveReport, retellReport } from './resolve-report.ts';

const staff = { check: refuseUnlessStaff };
const administrators = { check: refuseUnlessAdministrator };

export function moderationEndpoints(forum: Forum): Endpoint[] {
  return [
    memberEndpoint(forum, forum_routes.listReports, listReports, staff),
    memberEndpoint(forum, forum_routes.resolveReport, resolveReport, {
      ...staff,
      retell: (kept, account) => retellReport(forum, kept, account),
    }),
    memberEndpoint(forum, forum_routes.inspectPost, inspectPost, staff),
    memberEndpoint(forum, forum_routes.moderatePost, moderatePost, staff),
    memberEndpoint(forum, forum_routes.moderateAccount, moderateAccount, {
      ...administrators,
      retell: (kept, account) => retellModeration(forum, kept, account),
    }),
  ];
}
