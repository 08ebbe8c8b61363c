import type { Answer, house_routes } from '@stoa/wire';
import { isoInstant } from '../clock.ts';
import type { Call } from '../http/call.ts';
import type { MovableClock } from '../movable-clock.ts';

type Route = typeof house_routes.moveClock;

/** Moves the clock of a house in practice mode, holds it still, or lets it go on. */
export async function moveClock(clock: MovableClock, call: Call<Route>): Promise<Answer<Route>> {
  const { advance_seconds = 0, stopped } = call.body;
  if (stopped === true) clock.stop();
  clock.advance(advance_seconds * 1_000);
  if (stopped === false) clock.resume();
  return { status: 200, body: { now: isoInstant(clock.now()) } };
}
