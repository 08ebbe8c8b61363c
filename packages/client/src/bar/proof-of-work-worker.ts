// Runs in a worker: solves the proofs of work that it is sent, and posts back their nonces.
import { solveProofOfWork } from '@stoa/proof';
import { hashHex } from './hash-hex.ts';
import type { ProofOfWork } from './solve-proof-of-work.ts';

const node_port = globalThis.process?.getBuiltinModule?.('node:worker_threads')?.parentPort;
const is_web_worker = typeof globalThis.postMessage === 'function';

if (is_web_worker) {
  globalThis.onmessage = ({ data }: MessageEvent<ProofOfWork>) =>
    globalThis.postMessage(solveProofOfWork({ ...data, hashHex }));
} else {
  node_port?.on('message', (work: ProofOfWork) =>
    node_port.postMessage(solveProofOfWork({ ...work, hashHex })),
  );
}
