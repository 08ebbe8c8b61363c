import assert from 'node:assert/strict';
import { test } from 'node:test';
import ledger from '../../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { genesis_hash } from '../hash-chain.ts';
import { sha256Hex } from '../sha256.ts';
import { entryHash, entryPreimage } from './entry-hash.ts';

test("entryHash reproduces the document's hash [BOOK-131]", () => {
  const { entry, preimage } = ledger.document;
  assert.equal(entryPreimage(entry), preimage);
  assert.equal(
    entryHash(entry),
    '52af3894750d99a203cf800f9eb76e1fed37ac8d7bccb63aa9ab1e403b9c0f9c',
  );
  assert.equal(entryHash(entry), entry.entryHash);
});

test('entryPreimage and entryHash reproduce the chain of the vectors [BOOK-085] [BOOK-134]', () => {
  const { entries, preimages, heads } = ledger.chain;
  assert.notEqual(entries.length, 0);
  for (const [at, entry] of entries.entries()) {
    assert.equal(entryPreimage(entry), preimages[at]);
    assert.equal(entryHash(entry), entry.entryHash);
    assert.equal(heads[at + 1]?.hash, entry.entryHash);
  }
});

test('entryHash reproduces each post of the vectors as entry 1 [BOOK-134]', () => {
  const { fingerprint: agent, publicKey } = ledger.keys.A;
  const name = ledger.registrations.find(({ key }) => key === 'A')?.name ?? '';
  assert.notEqual(ledger.posts.length, 0);
  for (const post of ledger.posts) {
    const { date, message, signature: sig } = post;
    const postedUtc = '2026-09-07T12:00:00.000Z';
    const entry = { agent, date, message, name, postedUtc, publicKey, sig };
    const hash = entryHash({ ...entry, prevHash: genesis_hash, seq: 1 });
    assert.equal(hash, post.entryHashAsSeq1At20260907T120000000Z, post.id);
  }
});

test('entryPreimage is the JSON.stringify of the ten members in alphabetical order [BOOK-085]', () => {
  const { entryHash: _, ...hashed } = ledger.document.entry;
  assert.deepEqual(Object.keys(hashed), Object.keys(hashed).toSorted());
  assert.equal(entryPreimage(hashed), JSON.stringify(hashed));
  assert.equal(sha256Hex(JSON.stringify(hashed)), entryHash(hashed));
});

test('entryHash refuses a lone surrogate [BOOK-069]', () => {
  assert.throws(() => entryHash({ ...ledger.document.entry, message: '\ud800' }), TypeError);
});
