import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ledger from '../../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { decodeBase64, encodeBase64 } from '../base64.ts';
import { fingerprintOf, sign } from '../ed25519.ts';
import { genesis_hash } from '../hash-chain.ts';
import { entryHash } from './entry-hash.ts';
import { parseEntry } from './parse-record.ts';
import type { Entry, HashedEntry, VisibleEntry } from './record.ts';
import { postPayload } from './signed-payload.ts';
import { entryFault, recordVerifier, verifyRecord } from './verify-record.ts';

const chain = ledger.chain.entries;
const hidden_chain = ledger.hidden.entries.map(parseEntry);
const head = { seq: 4, hash: '095f6699a7246d3e3909f0902528d1c77f2f5469a39e6a768d803f264e73713c' };

function hide({ seq, prevHash, entryHash }: Entry): Entry {
  return { seq, prevHash, entryHash, hidden: true };
}

function hashed(entry: HashedEntry): VisibleEntry {
  return { ...entry, entryHash: entryHash(entry) };
}

function faultOf(entries: readonly Entry[], record_head = head): string {
  const verdict = verifyRecord({ head: record_head, entries });
  return verdict.ok ? 'ok' : `${verdict.seq} ${verdict.check}`;
}

test('verifyRecord holds the chain of the vectors [BOOK-086] [BOOK-087] [BOOK-088] [BOOK-089]', () => {
  const verdict = verifyRecord({ head, entries: chain });
  assert.deepEqual(verdict, { ok: true, entries: 4, hidden: 0, head, last: head });
});

test('verifyRecord holds an empty book [BOOK-082]', () => {
  const empty = { seq: 0, hash: genesis_hash };
  const verdict = verifyRecord({ head: empty, entries: [] });
  assert.deepEqual(verdict, { ok: true, entries: 0, hidden: 0, head: empty, last: empty });
  assert.equal(faultOf([], { seq: 0, hash: head.hash }), '0 head');
});

test('verifyRecord holds hidden entries, whichever they are [BOOK-120]', () => {
  const verdict = verifyRecord({ head, entries: hidden_chain });
  assert.deepEqual(verdict, { ok: true, entries: 4, hidden: 1, head, last: head });
  for (let mask = 0; mask < 16; mask += 1) {
    const entries = chain.map((entry, at) => ((mask >> at) & 1 ? hide(entry) : entry));
    const hidden = entries.filter((entry) => 'hidden' in entry).length;
    const verdict = verifyRecord({ head, entries });
    assert.deepEqual(verdict, { ok: true, entries: 4, hidden, head, last: head });
  }
});

test('verifyRecord names seq and check for each tampered record of the vectors', () => {
  assert.notEqual(ledger.tampered.cases.length, 0);
  for (const { id, head: case_head, entries, fails } of ledger.tampered.cases) {
    const verdict = verifyRecord({ head: case_head, entries: entries.map(parseEntry) });
    assert.ok(!verdict.ok, id);
    assert.deepEqual({ seq: verdict.seq, check: verdict.check }, fails, id);
    assert.match(verdict.why, /^[A-Z].*\.$/, id);
  }
});

test('verifyRecord lets entries stand beyond the head, and verifies them [BOOK-089]', () => {
  const earlier = ledger.chain.heads[2] ?? head;
  const { seq, hash } = earlier;
  const verdict = verifyRecord({ head: earlier, entries: chain });
  assert.deepEqual(verdict, { ok: true, entries: 4, hidden: 0, head: { seq, hash }, last: head });
  const spoilt = chain.map((entry) => (entry.seq === 4 ? { ...entry, name: 'x' } : entry));
  assert.equal(faultOf(spoilt, earlier), '4 entryHash');
  assert.equal(faultOf(chain, { seq: 2, hash: head.hash }), '2 head');
});

test('verifyRecord holds a record to a place seen before', () => {
  const { entries: rewritten } = ledger.tampered.cases.find(({ id }) => id === 'T-REWRITTEN') ?? {};
  assert.ok(rewritten);
  const outcome = (entries: readonly Entry[], seen: { seq: number; hash: string }) => {
    const { seq = 0, entryHash = genesis_hash } = entries.at(-1) ?? {};
    const verdict = verifyRecord({ head: { seq, hash: entryHash }, entries, seen });
    return verdict.ok ? 'ok' : `${verdict.seq} ${verdict.check}`;
  };
  assert.notEqual(ledger.chain.heads.length, 0);
  for (const seen of ledger.chain.heads) assert.equal(outcome(chain, seen), 'ok');
  assert.equal(outcome(rewritten.map(parseEntry), head), '4 history');
  assert.equal(outcome(chain.slice(0, 3), head), '4 history');
  assert.equal(outcome([], head), '4 history');
  assert.equal(outcome(chain, { seq: 0, hash: head.hash }), '0 history');
});

test('verifyRecord sees any change of one character, in any member of any entry [BOOK-085]', () => {
  const members = Object.keys(chain[0] ?? {});
  fc.assert(
    fc.property(fc.nat(3), fc.constantFrom(...members), fc.nat(), (at, member, pick) => {
      const entries = chain.map((entry, place): Entry => {
        if (place !== at) return entry;
        const changed: Record<string, unknown> = { ...entry };
        const value = changed[member];
        if (typeof value === 'number') changed[member] = value + 1 + pick;
        if (typeof value === 'string') {
          const cut = pick % value.length;
          const put = value[cut] === 'x' ? 'y' : 'x';
          changed[member] = value.slice(0, cut) + put + value.slice(cut + 1);
        }
        return parseEntry(changed);
      });
      const seq = chain[at]?.seq;
      const expected = member === 'seq' ? / seq$/ : new RegExp(`^${seq} entryHash$`);
      assert.match(faultOf(entries), expected);
    }),
  );
});

test('verifyRecord refuses an entry of another version, though hashed rightly [BOOK-085]', () => {
  const [first] = chain;
  assert.ok(first);
  assert.equal(faultOf([{ ...first, v: 2 }], { seq: 1, hash: first.entryHash }), '1 entryHash');
});

test('verifyRecord refuses a lone surrogate, which languages hash differently [BOOK-085]', () => {
  const [first] = chain;
  assert.ok(first);
  const { entryHash: hash } = first;
  assert.equal(faultOf([{ ...first, message: '\ud800' }], { seq: 1, hash }), '1 entryHash');
});

test('verifyRecord refuses links and heads that are no hashes [BOOK-086]', () => {
  const [first, second] = chain;
  assert.ok(first && second);
  const bogus = { seq: 1, prevHash: genesis_hash, entryHash: 'bogus', hidden: true } as const;
  assert.equal(faultOf([bogus], { seq: 1, hash: 'bogus' }), '1 entryHash');
  const follower = hashed({ ...second, prevHash: 'bogus' });
  assert.equal(faultOf([bogus, follower], { seq: 2, hash: follower.entryHash }), '1 entryHash');
});

test('verifyRecord refuses forged lines under small-order keys and loose base64 [BOOK-087]', () => {
  const [first] = chain;
  assert.ok(first);
  const record = (entry: HashedEntry): string => {
    const made: VisibleEntry = hashed(entry);
    return faultOf([made], { seq: 1, hash: made.entryHash });
  };
  assert.equal(record(first), 'ok');
  for (const { id, body } of ledger.refused.registrations) {
    if (!id.startsWith('K-') || id === 'K-BURNED') continue;
    const publicKey = String(body?.publicKey);
    const key = Uint8Array.from(Buffer.from(publicKey, 'base64'));
    const forged: HashedEntry = {
      ...first,
      publicKey,
      agent: fingerprintOf(key),
      sig: String(body?.signature),
    };
    assert.equal(record(forged), '1 sig', id);
  }
  assert.equal(record({ ...first, sig: first.sig.replace(/=$/, '') }), '1 sig');
  assert.equal(record({ ...first, agent: ledger.keys.B.fingerprint }), '1 sig');
  const seed = decodeBase64(ledger.keys.A.seed, 32);
  assert.ok(seed);
  const lie = { ...first, agent: ledger.keys.B.fingerprint };
  const sig = encodeBase64(sign({ seed, message: postPayload(lie) }));
  assert.equal(record({ ...lie, sig }), '1 agent');
});

test('recordVerifier keeps to the first fault', () => {
  const verifier = recordVerifier({ head });
  const [first, second, third] = chain;
  assert.ok(first && second && third);
  assert.equal(verifier.add(first), undefined);
  const fault = verifier.add(third);
  assert.equal(fault?.check, 'seq');
  assert.equal(verifier.add(second), fault);
  assert.deepEqual(verifier.finish(), { ok: false, ...fault });
});

test('entryFault checks one entry of the middle against the one before', () => {
  const [, second, third] = chain;
  assert.ok(second && third);
  assert.equal(entryFault(third, { seq: 2, hash: second.entryHash }), undefined);
  assert.equal(entryFault(third, { seq: 2, hash: genesis_hash })?.check, 'prevHash');
  assert.equal(entryFault(third, { seq: 3, hash: second.entryHash })?.check, 'seq');
});
