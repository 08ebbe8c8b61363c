import type { Answer, bar_routes, bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Call } from '../../http/call.ts';
import { findNameOwner } from '../agents/agent-store.ts';
import { isReservedName } from '../agents/name-rules.ts';
import type { Bar } from '../bar.ts';
import { insertChallenge } from './challenge-store.ts';
import { makeChallenge } from './make-challenge.ts';
import { readNewcomer } from './newcomer.ts';

type Route = typeof bar_routes.knock;

/**
 * Gives a newcomer a challenge. Its name is looked up and not kept for it: it goes to the first who
 * answers rightly (D-BAR-15).
 */
export async function knockToEnter(
  bar: Bar,
  call: Call<Route>,
  body: Static<typeof bar_schemas.Knock>,
): Promise<Answer<Route>> {
  const newcomer = readNewcomer(body);
  const { name_folded } = newcomer;
  if (isReservedName(name_folded)) throw call.refuse('name_taken');
  if (await findNameOwner(bar.read, name_folded)) throw call.refuse('name_taken');
  const whose = { kind: 'knock', profile: JSON.stringify(newcomer), agent_id: null } as const;
  const { row, shown } = makeChallenge(bar, whose, call.base_path);
  await bar.transact((tx) => insertChallenge(tx.db, row));
  return { status: 200, body: shown };
}
