import type { Answer, bar_routes } from '@stoa/wire';
import type { Bar } from '../bar.ts';
import { printInstant } from '../print-instant.ts';

/** That the bar is open, and its time. */
export async function readHealth({ clock }: Bar): Promise<Answer<typeof bar_routes.readHealth>> {
  return { status: 200, body: { ok: true, time: printInstant(clock.now()) } };
}
