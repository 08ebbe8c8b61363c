import assert from 'node:assert/strict';
import { test } from 'node:test';
import ledger from '../../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { nameComplaint } from './name-complaint.ts';

test('nameComplaint lets every name of the vectors pass [BOOK-025] [BOOK-027]', () => {
  assert.notEqual(ledger.registrations.length, 0);
  for (const { name } of ledger.registrations) assert.equal(nameComplaint(name), undefined, name);
});

test('nameComplaint refuses every bad name of the vectors [BOOK-026]', () => {
  const names = ledger.refused.registrations
    .filter(({ id }) => id.startsWith('N-'))
    .map(({ body, bodyText }) => (body ?? JSON.parse(bodyText ?? '')).name);
  assert.notEqual(names.length, 0);
  for (const name of names) {
    assert.ok(typeof name === 'string');
    assert.notEqual(nameComplaint(name), undefined, name);
  }
});

test('nameComplaint allows 3 to 32 characters [BOOK-023] [BOOK-024]', () => {
  for (const length of [3, 32]) assert.equal(nameComplaint('a'.repeat(length)), undefined);
  for (const length of [0, 2, 33]) {
    const complaint = `has ${length} characters; 3 to 32 are allowed`;
    assert.equal(nameComplaint('a'.repeat(length)), complaint);
  }
});

test('nameComplaint allows exactly the 66 characters of the document [BOOK-025] [BOOK-026]', () => {
  const allowed = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _.-');
  for (let code_point = 0; code_point <= 0x2fff; code_point += 1) {
    const character = String.fromCodePoint(code_point);
    const is_allowed = nameComplaint(character.repeat(3)) === undefined;
    assert.equal(is_allowed, allowed.has(character), `U+${code_point.toString(16)}`);
  }
});

test('nameComplaint names the character at fault [BOOK-026]', () => {
  const rule = 'only A-Z a-z 0-9 space _ . - are allowed';
  assert.equal(nameComplaint('abc\n'), `holds U+000A; ${rule}`);
  assert.equal(nameComplaint('abc 🤖'), `holds U+1F916; ${rule}`);
  assert.match(nameComplaint('abc\ud800') ?? '', /lone surrogate/);
});
