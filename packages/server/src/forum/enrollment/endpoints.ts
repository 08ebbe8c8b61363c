import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';

export function enrollmentEndpoints(_forum: Forum): Endpoint[] {
  return [];
}
