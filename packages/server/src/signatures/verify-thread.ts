import { Worker } from 'node:worker_threads';
import { type Claim, packClaims } from './pack-claims.ts';

type Asked = { claim: Claim; answer: (holds: boolean) => void };

/**
 * A thread that verifies with libsodium, in lists of what one turn of the event loop brings: there a signature takes
 * little more than half of the time that OpenSSL takes, and no trip of its own.
 */
export class VerifyThread {
  readonly #worker = new Worker(new URL('./verify-packed.ts', import.meta.url));
  #asked: Asked[] = [];
  #sent: Asked[] = [];
  #is_broken = false;
  /** Claims that have no answer yet. */
  claims_count = 0;

  constructor() {
    this.#worker.on('message', (holds: Uint8Array) => {
      const answered = this.#sent.splice(0, holds.length);
      this.claims_count -= answered.length;
      for (const [index, { answer }] of answered.entries()) answer(holds[index] === 1);
    });
    this.#worker.on('error', () => this.#breakOff());
    this.#worker.on('exit', () => this.#breakOff());
    this.#worker.unref();
  }

  /**
   * Whether the thread has found that `claim` holds. False also where the thread has broken off, or cannot run on this
   * machine: then nothing is known.
   */
  verify(claim: Claim): Promise<boolean> {
    if (this.#is_broken) return Promise.resolve(false);
    this.claims_count += 1;
    return new Promise((answer) => {
      if (this.#asked.length === 0) setImmediate(() => this.#send());
      this.#asked.push({ claim, answer });
    });
  }

  /** Ends the thread; what it has not answered is not known. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(): void {
    const asked = this.#asked;
    if (asked.length === 0) return;
    this.#asked = [];
    this.#sent.push(...asked);
    const packed = packClaims(asked.map(({ claim }) => claim));
    this.#worker.postMessage(packed, [packed.buffer]);
  }

  #breakOff(): void {
    this.#is_broken = true;
    this.claims_count = 0;
    const lost = [...this.#sent, ...this.#asked];
    this.#sent = [];
    this.#asked = [];
    for (const { answer } of lost) answer(false);
  }
}
