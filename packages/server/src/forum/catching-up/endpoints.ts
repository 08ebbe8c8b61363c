import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';

export function catchingUpEndpoints(_forum: Forum): Endpoint[] {
  return [];
}
