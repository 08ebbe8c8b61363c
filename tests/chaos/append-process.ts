import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '../support/children.ts';
import type { AppendOrder } from './append-child.ts';

const child_path = fileURLToPath(new URL('./append-child.ts', import.meta.url));

/** An acknowledged unit, as its process printed it. */
export type Acknowledged = {
  readonly unit: string;
  readonly has_rows: boolean;
  readonly places: readonly { readonly place: string; readonly hash: string }[];
};

/** A process that appends to a ledger. */
export type Appender = Child & {
  /** What it has acknowledged so far. */
  readonly acknowledged: readonly Acknowledged[];
  /** How many of its units failed. */
  failures(): number;
  /** Resolves once it has acknowledged `count` units, its ledger open; rejects if it ends before. */
  untilAcknowledged(count: number): Promise<void>;
};

/** Starts a process that carries out `order`; `await using` kills it at the latest. */
export function startAppender(order: AppendOrder): Appender {
  const child = startChild(process.execPath, [child_path, JSON.stringify(order)]);
  const acknowledged: Acknowledged[] = [];
  let failures = 0;
  let is_ready = false;
  let check = () => {};
  child.onLine((line) => {
    if (line === 'ready') is_ready = true;
    else if (line.startsWith('failed ')) failures += 1;
    // A line that was cut off by its writer's end acknowledges nothing.
    else if (line.endsWith('}')) acknowledged.push(JSON.parse(line));
    check();
  });
  return {
    ...child,
    acknowledged,
    failures: () => failures,
    untilAcknowledged: (count) =>
      new Promise((resolve, reject) => {
        check = () => {
          if (is_ready && acknowledged.length >= count) resolve();
        };
        check();
        const giveUp = () => reject(new Error(`it ended:\n${child.stderr.join('\n')}`));
        void child.exited.then(giveUp, giveUp);
      }),
  };
}
