import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { solveProofOfWork } from '@stoa/proof';
import { RefusalError } from '../../refusal.ts';
import { checkProof } from './check-proof.ts';
import type { Spent } from './spend-challenge.ts';

type Vector = {
  name: string;
  id: string;
  seed: string;
  handle: string;
  policy_sha256: string;
  difficulty_bits: number;
  smallest_nonce: string;
  digest_begins: string;
  digest_ends: string;
};

const vectors: Vector[] = JSON.parse(
  readFileSync(
    new URL('../../../../../protocol/forum/vectors/proof-of-work.json', import.meta.url),
    'utf8',
  ),
);

const spent = ({ id, seed, handle, policy_sha256, difficulty_bits }: Vector): Spent => ({
  ...{ id, seed, handle, policy_sha256, tier: difficulty_bits === 12 ? 'guest' : 'full' },
  ...{ id_digest: Buffer.alloc(32), client_digest: Buffer.alloc(32), process: 'a' },
  ...{ account_id: null, expires_at: 0 },
});

describe('checkProof', () => {
  for (const vector of vectors) {
    it(`takes the smallest nonce of ${vector.name}, and none below [FORUM-045] [FORUM-046]`, () => {
      const { id, seed, handle, policy_sha256, difficulty_bits: bits, smallest_nonce } = vector;
      const prefix = `${id}:${seed}:${handle}:${policy_sha256}:`;
      const digest = hash('sha256', prefix + smallest_nonce);
      assert.ok(digest.startsWith(vector.digest_begins) && digest.endsWith(vector.digest_ends));
      assert.ok(BigInt(`0x${digest}`) < 2n ** BigInt(256 - bits));
      const hashHex = (text: string) => hash('sha256', text);
      assert.equal(solveProofOfWork({ prefix, bits, hashHex }), smallest_nonce);
      checkProof(spent(vector), smallest_nonce);
      const before = String(Number(smallest_nonce) - 1);
      assert.throws(() => checkProof(spent(vector), before), RefusalError);
      // The text is what is hashed: a leading zero makes another nonce.
      assert.throws(() => checkProof(spent(vector), `0${smallest_nonce}`), RefusalError);
    });
  }
});
