import assert from 'node:assert/strict';
import { test } from 'node:test';
import ledger from '../../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { parseEntry, parseHead } from './parse-record.ts';

const [visible] = ledger.chain.entries;
const hidden = ledger.hidden.entries[1];

test('parseEntry and parseHead give back what the vectors publish [BOOK-073] [BOOK-081]', () => {
  const entries = [...ledger.chain.entries, ...ledger.hidden.entries];
  assert.notEqual(entries.length, 0);
  for (const entry of entries) assert.deepEqual(parseEntry(entry), entry);
  assert.notEqual(ledger.chain.heads.length, 0);
  for (const head of ledger.chain.heads) assert.deepEqual(parseHead(head), head);
});

test('parseEntry refuses a member that is missing or of another type', () => {
  for (const entry of [visible, hidden]) {
    const names = Object.keys(entry ?? {});
    assert.notEqual(names.length, 0);
    for (const name of names) {
      const { [name]: _, ...rest }: Record<string, unknown> = { ...entry };
      assert.throws(() => parseEntry(rest), TypeError, name);
      for (const value of [null, {}, [], false]) {
        assert.throws(() => parseEntry({ ...rest, [name]: value }), TypeError, name);
      }
    }
  }
});

test('parseEntry refuses a further member, and content beside hidden [BOOK-073]', () => {
  assert.throws(() => parseEntry({ ...visible, note: 'unsigned' }), /member beside/);
  assert.throws(() => parseEntry({ ...visible, hidden: true }), /member beside/);
  assert.throws(() => parseEntry({ ...visible, hidden: false }), /hidden/);
});

test('parseEntry and parseHead refuse what is no object', () => {
  for (const value of [undefined, null, 1, 'text', [], true]) {
    assert.throws(() => parseEntry(value), TypeError);
    assert.throws(() => parseHead(value), TypeError);
  }
});

test('parseHead refuses a member that is missing or of another type', () => {
  const head = { seq: 0, hash: '0', updatedUtc: null, further: 1 };
  assert.deepEqual(parseHead(head), { seq: 0, hash: '0', updatedUtc: null });
  assert.throws(() => parseHead({ ...head, seq: '0' }), /seq/);
  assert.throws(() => parseHead({ ...head, hash: 0 }), /hash/);
  assert.throws(() => parseHead({ seq: 0, hash: '0' }), /updatedUtc/);
});
