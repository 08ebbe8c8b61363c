import type { ProofOfWork } from './solve-proof-of-work.ts';

/** A worker that solves proofs of work. */
export type SolvingWorker = {
  /** @throws Error when the worker cannot run. */
  solve(work: ProofOfWork): Promise<string>;
  stop(): void;
};

/**
 * Starts a worker with whatever this runtime has: the `Worker` of browsers, Bun and Deno, or the one
 * of Node, which has no global. Answers `undefined` where there is neither.
 */
export function startWorker(): SolvingWorker | undefined {
  try {
    return startWebWorker() ?? startNodeWorker();
  } catch {
    return undefined;
  }
}

function startWebWorker(): SolvingWorker | undefined {
  if (typeof globalThis.Worker !== 'function') return undefined;
  // Written out in one piece, because bundlers look for exactly this.
  const worker = new Worker(new URL('./proof-of-work-worker.ts', import.meta.url), {
    type: 'module',
  });
  return {
    solve: (work) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(String(data));
        worker.onmessageerror = () => reject(new Error('the worker answers nothing readable'));
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error('the worker does not run'));
        };
        worker.postMessage(work);
      }),
    stop: () => worker.terminate(),
  };
}

function startNodeWorker(): SolvingWorker | undefined {
  // Asked of the process and not imported: this file is loaded by runtimes that have no such module.
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  if (threads === undefined) return undefined;
  const worker = new threads.Worker(new URL('./proof-of-work-worker.ts', import.meta.url));
  return {
    solve: (work) =>
      new Promise((resolve, reject) => {
        worker.on('message', (nonce) => resolve(String(nonce)));
        worker.on('error', reject);
        worker.on('exit', () => reject(new Error('the worker has ended')));
        worker.postMessage(work);
      }),
    stop: () => void worker.terminate(),
  };
}
