import { difficultyCheck } from '@stoa/proof';
import { orAborted } from '../sleep.ts';
import { hashHex } from './hash-hex.ts';
import { startWorker } from './proof-of-work-worker-port.ts';

/** A proof of work: SHA-256 over `prefix` and the nonce starts with `bits` zero bits. */
export type ProofOfWork = { readonly prefix: string; readonly bits: number };

/** Finds the nonce of a proof of work; stops when `signal` is aborted, and rejects with its reason. */
export type SolveProofOfWork = (work: ProofOfWork & { signal: AbortSignal }) => Promise<string>;

const counters_per_turn = 4_096;

/**
 * Solves a proof of work in a worker, so that tasks are answered meanwhile; where none starts, here,
 * in turns that let other work pass. 20 bits take about 2^20 hashes: a second in Node, several in browsers.
 *
 * @see korova §4
 */
export const solveProofOfWork: SolveProofOfWork = async (work) => {
  const { prefix, bits, signal } = work;
  signal.throwIfAborted();
  const worker = startWorker();
  if (worker === undefined) return solveInTurns(work);
  try {
    return await orAborted(worker.solve({ prefix, bits }), signal);
  } catch (error) {
    // A page's policy may forbid workers, or a bundle may have left the file out.
    if (signal.aborted) throw error;
    return await solveInTurns(work);
  } finally {
    worker.stop();
  }
};

/** Solves a proof of work on this thread, some thousand hashes at a time. */
const solveInTurns: SolveProofOfWork = async ({ prefix, bits, signal }) => {
  const meets = difficultyCheck({ prefix, bits, hashHex });
  for (let counter = 0; ; counter += 1) {
    if (counter % counters_per_turn === 0) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal.throwIfAborted();
    }
    const nonce = String(counter);
    if (meets(nonce)) return nonce;
  }
};
