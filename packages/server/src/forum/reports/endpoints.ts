import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { keepSnapshotsBrief } from './snapshot.ts';

export function reportsEndpoints(forum: Forum): Endpoint[] {
  keepSnapshotsBrief(forum);
  return [];
}
