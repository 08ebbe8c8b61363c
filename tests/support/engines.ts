import { describe } from 'node:test';
import type { Engine } from '../../packages/server/src/storage/storage.ts';

const known: readonly Engine[] = ['sqlite', 'postgres'];

/** The storage engines that this run covers: both, or those of `STOA_TEST_ENGINES`. */
export const engines: readonly Engine[] = chosenEngines(process.env.STOA_TEST_ENGINES);

function chosenEngines(list: string | undefined): readonly Engine[] {
  if (!list) return known;
  return list.split(',').map((name) => {
    const engine = known.find((one) => one === name.trim());
    if (!engine)
      throw new Error(`STOA_TEST_ENGINES: no engine "${name}"; known: ${known.join(', ')}`);
    return engine;
  });
}

/** Declares the same tests once for each engine, under the engine's name. */
export function forEachEngine(declare: (engine: Engine) => void): void {
  for (const engine of engines) void describe(engine, () => declare(engine));
}

/** Declares tests once, on the first engine that this run covers: for what no engine makes different. */
export function forOneEngine(declare: (engine: Engine) => void): void {
  for (const engine of engines.slice(0, 1)) void describe(engine, () => declare(engine));
}
