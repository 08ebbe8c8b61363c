import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agent_card_schema } from '@stoa/wire';
import schema_file from '../../../../../protocol/network/agent-card.schema.json' with {
  type: 'json',
};
import vectors from '../../../../../protocol/network/vectors/ni-msg-v1.json' with { type: 'json' };
import { checkCard } from './check-card.ts';

const owner = { handle: 'bob', domain: 'example.org' };
const key = vectors.keys.alice.public_key;

/** A card with every member. */
const whole = {
  schema: 'agent-card',
  schema_version: 1,
  handle: 'bob',
  display_name: 'Bob',
  address: 'bob@example.org',
  description: 'Resizes images.',
  capabilities: ['image-resize', 'Größe'],
  contact: { inbox: 'bob@example.org', webhook: 'https://a.example/hook', email: 'b@a.example' },
  keys: { ed25519: key },
  links: [{ label: 'Page', url: 'https://a.example/bob' }],
  updated: '2026-10-10',
};

const check = (text: string | Buffer) => checkCard({ octets: Buffer.from(text) }, owner);
const checkValue = (value: unknown) => check(JSON.stringify(value));
/** The card with other members; one that is undefined is left out. */
const checkWith = (members: Record<string, unknown>) => checkValue({ ...whole, ...members });
const fault = (reason: string, field: string | null = null) => ({ valid: false, reason, field });

test('the schema is the published one, member for member [NET-069]', () => {
  assert.deepEqual(agent_card_schema, schema_file);
});

test('a card says what its members say, and no unknown one [NET-070] [NET-076]', () => {
  const { schema, schema_version, ...content } = whole;
  assert.deepEqual([schema, schema_version], ['agent-card', 1]);
  assert.deepEqual(checkValue(whole), { valid: true, content });
  const more = {
    ...whole,
    mood: 'good',
    contact: { ...whole.contact, fax: '1' },
    keys: { ...whole.keys, rsa: 'x' },
    links: [{ ...whole.links[0], title: 'x' }],
  };
  assert.deepEqual(checkValue(more), { valid: true, content });
});

test('members that may be missing or null are null or empty [NET-075]', () => {
  const bare = {
    schema: 'agent-card',
    schema_version: 1,
    handle: 'bob',
    display_name: 'Bob',
    address: 'bob@example.org',
    description: null,
    capabilities: [],
  };
  const nothing = {
    handle: 'bob',
    display_name: 'Bob',
    address: 'bob@example.org',
    description: null,
    capabilities: [],
    contact: { inbox: null, webhook: null, email: null },
    keys: { ed25519: null },
    links: [],
    updated: null,
  };
  assert.deepEqual(checkValue(bare), { valid: true, content: nothing });
  const nulls = { ...bare, contact: null, keys: null, links: null, updated: null };
  assert.deepEqual(checkValue(nulls), { valid: true, content: nothing });
  const inner = {
    ...bare,
    contact: { inbox: null, webhook: null, email: null },
    keys: { ed25519: null },
  };
  assert.deepEqual(checkValue(inner), { valid: true, content: nothing });
});

const pointers: readonly [pointer: string, members: Record<string, unknown>][] = [
  ['/schema', { schema: 'agent-cards' }],
  ['/schema', { schema: undefined }],
  ['/schema_version', { schema_version: undefined }],
  ['/schema_version', { schema_version: '1' }],
  ['/schema_version', { schema_version: 1.5 }],
  ['/handle', { handle: undefined }],
  ['/handle', { handle: 'Bob' }],
  ['/handle', { handle: 'x'.repeat(41) }],
  ['/display_name', { display_name: '' }],
  ['/display_name', { display_name: '😀'.repeat(81) }],
  ['/display_name', { display_name: 'a\nb' }],
  ['/address', { address: undefined }],
  ['/address', { address: 'Bob@example.org' }],
  ['/description', { description: undefined }],
  ['/description', { description: '😀'.repeat(1_001) }],
  ['/capabilities', { capabilities: 'image-resize' }],
  ['/capabilities', { capabilities: ['a', 'a'] }],
  ['/capabilities', { capabilities: Array.from({ length: 51 }, (_, at) => `c${at}`) }],
  ['/capabilities/1', { capabilities: ['a', ''] }],
  ['/capabilities/0', { capabilities: ['x'.repeat(65)] }],
  ['/capabilities/0', { capabilities: [7] }],
  ['/contact', { contact: [] }],
  ['/contact/inbox', { contact: { inbox: 'nobody' } }],
  ['/contact/webhook', { contact: { webhook: 'http://a.example/' } }],
  ['/contact/email', { contact: { email: 'nobody' } }],
  ['/links', { links: Array.from({ length: 21 }, () => whole.links[0]) }],
  ['/links/0/url', { links: [{ label: 'x', url: 'javascript:alert(1)' }] }],
  ['/links/0/label', { links: [{ url: 'https://a.example' }] }],
  ['/updated', { updated: '2026-13-01' }],
  ['/keys', { keys: 'none' }],
  ['/keys/ed25519', { keys: { ed25519: `${key}=` } }],
  ['/keys/ed25519', { keys: { ed25519: key.slice(1) } }],
];

test('what does not fit the schema is told by its place, never by its content [NET-069] [NET-070] [NET-077]', () => {
  for (const [pointer, members] of pointers) {
    assert.deepEqual(checkWith(members), fault('schema', pointer), JSON.stringify(members));
  }
  for (const value of [[], 'card', 7, null, true]) {
    assert.deepEqual(checkValue(value), fault('schema', ''));
  }
  const longest = { display_name: '😀'.repeat(80), description: '😀'.repeat(1_000) };
  assert.equal(checkWith(longest).valid, true);
});

test('another version is unsupported, whatever else is wrong [NET-071]', () => {
  for (const schema_version of [2, 0, -1, 1_000]) {
    const told = fault('unsupported_version', '/schema_version');
    assert.deepEqual(checkWith({ schema_version }), told);
    assert.deepEqual(checkWith({ schema_version, handle: 7, schema: 'x' }), told);
  }
  assert.equal(check(JSON.stringify(whole).replace(':1,', ':1.0,')).valid, true);
});

test('handle and address must be those of the repository [NET-072] [NET-073]', () => {
  assert.deepEqual(checkWith({ handle: 'alice' }), fault('handle_mismatch', '/handle'));
  const addresses = ['alice@example.org', 'bob@example.com', 'bob@mail.example.org'];
  for (const address of addresses) {
    assert.deepEqual(checkWith({ address }), fault('address_mismatch', '/address'));
  }
  // Of several faults the first in the order is told.
  assert.deepEqual(
    checkWith({ handle: 'alice', address: 'x@y' }),
    fault('handle_mismatch', '/handle'),
  );
});

test('every refused key of the vectors makes a card invalid [NET-074]', () => {
  assert.ok(vectors.refused_keys.length >= 18);
  for (const { key: ed25519, why } of vectors.refused_keys) {
    // One of another form fails the schema already (D-NET-73).
    const is_formed = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(ed25519);
    const told = fault(is_formed ? 'invalid_key' : 'schema', '/keys/ed25519');
    assert.deepEqual(checkWith({ keys: { ed25519 } }), told, why);
  }
  for (const { public_key } of Object.values(vectors.keys)) {
    assert.equal(checkWith({ keys: { ed25519: public_key } }).valid, true);
  }
});

test('bytes that are no UTF-8, or begin with a byte order mark, are not_utf8 [NET-069]', () => {
  const text = JSON.stringify(whole);
  assert.deepEqual(
    check(Buffer.concat([Buffer.from(text), Buffer.from([0xff])])),
    fault('not_utf8'),
  );
  assert.deepEqual(check(Buffer.from(text, 'utf16le')), fault('not_utf8'));
  assert.deepEqual(check(`\ufeff${text}`), fault('not_utf8'));
  // The UTF-8 of half a surrogate pair is none.
  const half = Buffer.from(text.replace('Bob', '###'));
  const at = half.indexOf('###');
  half.set([0xed, 0xa0, 0x80], at);
  assert.deepEqual(check(half), fault('not_utf8'));
});

test('what JSON parsers read differently is not_json [NET-069]', () => {
  const text = JSON.stringify(whole);
  const texts = [
    '',
    '{',
    `${text},`,
    "{'schema': 1}",
    text.replace('{', '{"handle":"alice",'),
    text.replace('"inbox":', '"inbox":null,"inbox":'),
    text.replace('"handle":', '"\\u0068andle":"alice","handle":'),
    text.replace('Bob', 'B\\ud800b'),
    text.replace('Bob', 'B\\udc00\\ud800b'),
    text.replace('{', '{"\\ud800":1,'),
    text.replace('{', '{"deep":[{"x":["\\udfff"]}],'),
  ];
  for (const one of texts) assert.deepEqual(check(one), fault('not_json'), one.slice(0, 60));
  // The same name in two objects, or as a value, is no repetition.
  const fine = text.replace(
    '{',
    '{"a":{"handle":["handle","handle",{"handle":1}]},"b":{"handle":"x"},',
  );
  assert.equal(check(fine).valid, true);
  assert.equal(check(text.replace('Bob', 'B\\ud83d\\ude00b')).valid, true);
  assert.equal(check(text.replace('{', '{"__proto__":{"handle":"x"},')).valid, true);
  assert.deepEqual(check('['.repeat(60_000)), fault('not_json'));
  assert.deepEqual(check('['.repeat(30_000) + ']'.repeat(30_000)), fault('schema', ''));
});

test('what is no file is told before what it holds [NET-079]', () => {
  assert.deepEqual(checkCard({ fault: 'too_large' }, owner), fault('too_large'));
  assert.deepEqual(checkCard({ fault: 'not_a_file' }, owner), fault('not_a_file'));
});
