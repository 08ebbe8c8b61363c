import type { Bar } from '../bar.ts';
import type { BarTables } from '../tables.ts';
import { countOpenFlags } from './flag-store.ts';
import { countsFrom } from './standing.ts';

/** The open flags against an agent, at an instant. */
export type OpenFlags = {
  readonly total: number;
  /** Those of seasoned agents. */
  readonly counted: number;
  /** Distinct seasoned agents that have some. */
  readonly counting_flaggers: number;
  readonly by_reason: Readonly<Record<BarTables['bar_flag']['reason'], number>>;
  readonly flaggers_count_from: readonly number[];
};

export async function readFlags(bar: Bar, agent_id: string, now: number): Promise<OpenFlags> {
  const by_reason = { spam: 0, impersonation: 0, corruption: 0, abuse: 0, other: 0 };
  const flaggers = new Map<string, number>();
  let total = 0;
  let counted = 0;
  for (const { reason, flagger, flags, ...giver } of await countOpenFlags(bar.read, agent_id)) {
    const from = countsFrom(giver);
    by_reason[reason] += flags;
    total += flags;
    if (from <= now) counted += flags;
    flaggers.set(flagger, from);
  }
  const flaggers_count_from = [...flaggers.values()];
  return {
    total,
    counted,
    counting_flaggers: flaggers_count_from.filter((from) => from <= now).length,
    by_reason,
    flaggers_count_from,
  };
}
