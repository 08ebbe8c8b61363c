import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import { doorDocument } from '../documents/door-document.ts';

type Route = typeof bar_routes.readDoor;

/** How to get in, its paths as they stand for who asks. */
export async function readDoor(bar: Bar, { base_path }: Call<Route>): Promise<Answer<Route>> {
  const place = { origin: bar.origin(), base_path, practice: bar.config.practice };
  return { status: 200, body: doorDocument(place) };
}
