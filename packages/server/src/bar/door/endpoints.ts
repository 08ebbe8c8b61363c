import type { Endpoint } from '../../room.ts';
import type { Bar } from '../bar.ts';

/** The routes of this part of the bar with the use cases that answer them. */
export function doorEndpoints(_bar: Bar): Endpoint[] {
  return [];
}
