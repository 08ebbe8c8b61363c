import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';

export function recoveryEndpoints(_forum: Forum): Endpoint[] {
  return [];
}
