import { forum_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint } from '../forum-endpoint.ts';
import { makeReport } from './make-report.ts';
import { keepSnapshotsBrief } from './snapshot.ts';

export function reportsEndpoints(forum: Forum): Endpoint[] {
  keepSnapshotsBrief(forum);
  return [memberEndpoint(forum, forum_routes.makeReport, makeReport)];
}
