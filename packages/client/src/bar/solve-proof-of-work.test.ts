import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Worker as NodeWorker } from 'node:worker_threads';
import { meetsDifficulty } from '@stoa/proof';
import { solveProofOfWork } from './solve-proof-of-work.ts';

const prefix = 'korova:3f9a1c0e7b2d5a8c4e6f1b0d:';
const forever = () => new AbortController().signal;

/** Gives this runtime the global `Worker` of browsers, for one test. */
function withGlobalWorker(context: TestContext, made: unknown): void {
  Object.defineProperty(globalThis, 'Worker', { value: made, configurable: true });
  context.after(() => void Reflect.deleteProperty(globalThis, 'Worker'));
}

test('solveProofOfWork finds a nonce while this thread is free [BAR-077] [BAR-078]', async () => {
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 1);
  const bits = 18;
  const nonce = await solveProofOfWork({ prefix, bits, signal: forever() });
  clearInterval(ticking);
  assert.ok(meetsDifficulty({ prefix, nonce, bits }));
  assert.ok(turns > 10, `${turns} turns`);
});

test('solveProofOfWork stops when it is told to', async () => {
  const enough = new AbortController();
  const solving = solveProofOfWork({ prefix, bits: 60, signal: enough.signal });
  setTimeout(() => enough.abort(new Error('enough')), 20);
  await assert.rejects(solving, /enough/);
  await assert.rejects(solveProofOfWork({ prefix, bits: 1, signal: enough.signal }), /enough/);
});

test('solveProofOfWork uses the module worker of a browser', async (t) => {
  const sent: unknown[] = [];
  class WebWorker {
    readonly #worker: NodeWorker;
    onmessage: ((event: { data: unknown }) => void) | undefined;
    constructor(url: URL, { type }: { type: string }) {
      assert.equal(type, 'module');
      this.#worker = new NodeWorker(url);
      this.#worker.on('message', (data) => this.onmessage?.({ data }));
    }
    postMessage(data: unknown) {
      sent.push(data);
      this.#worker.postMessage(data);
    }
    terminate() {
      sent.push('terminate');
      void this.#worker.terminate();
    }
  }
  withGlobalWorker(t, WebWorker);
  const nonce = await solveProofOfWork({ prefix, bits: 12, signal: forever() });
  assert.ok(meetsDifficulty({ prefix, nonce, bits: 12 }));
  assert.deepEqual(sent, [{ prefix, bits: 12 }, 'terminate']);
});

test('solveProofOfWork does without a worker where none starts or runs', async (t) => {
  class Forbidden {
    constructor() {
      throw new Error('refused by the policy of the page');
    }
  }
  class Broken {
    onerror: ((event: { preventDefault(): void }) => void) | undefined;
    postMessage() {
      setTimeout(() => this.onerror?.({ preventDefault() {} }));
    }
    terminate() {}
  }
  for (const made of [Forbidden, Broken]) {
    withGlobalWorker(t, made);
    const nonce = await solveProofOfWork({ prefix, bits: 10, signal: forever() });
    assert.ok(meetsDifficulty({ prefix, nonce, bits: 10 }), made.name);
    const enough = new AbortController();
    const solving = solveProofOfWork({ prefix, bits: 60, signal: enough.signal });
    setTimeout(() => enough.abort(new Error('enough')), 20);
    await assert.rejects(solving, /enough/);
  }
});
