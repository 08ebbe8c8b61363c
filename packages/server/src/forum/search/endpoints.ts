import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';

export function searchEndpoints(_forum: Forum): Endpoint[] {
  return [];
}
