import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import vectors from '../../../../protocol/bar/vectors/messages.json' with { type: 'json' };
import { sha256Hex } from '../sha256.ts';
import { hashHolds } from './hash-holds.ts';
import type { Message } from './message.ts';
import { messageHash } from './message-hash.ts';

const text = fc.string({ unit: 'binary' });

const message = fc
  .record({
    id: fc.nat(),
    room: text,
    agent_id: text,
    content_type: text,
    body: fc.oneof(
      text,
      fc.nat({ max: 30_000 }).map((length) => '🥛'.repeat(length)),
    ),
    created_at: text,
    prev_hash: fc.oneof(text, fc.constant('0'.repeat(64)), fc.constant('x'.repeat(70_000))),
  })
  .map(({ agent_id, ...rest }): Message => {
    const link = { ...rest, author_id: agent_id, body_sha256: sha256Hex(rest.body) };
    const author = { agent_id, name: '', state: 'member' };
    const none = { reply_to: null, retracts: null, retracted_by: null };
    const unsigned = { signature: null, sig_verified: null };
    return { ...rest, author, ...none, ...unsigned, hash: messageHash(link) };
  });

test('hashHolds says of every message of the vectors that it holds [BAR-193]', () => {
  for (const { message: of_vectors } of vectors.chain) assert.ok(hashHolds(of_vectors));
});

test('hashHolds agrees with messageHash on any message, short or long', () => {
  fc.assert(
    fc.property(message, (any) => {
      assert.ok(hashHolds(any));
    }),
  );
});

test('hashHolds is false for any other hash and any other text', () => {
  fc.assert(
    fc.property(message, fc.nat({ max: 63 }), (any, at) => {
      const other = any.hash[at] === '0' ? '1' : '0';
      const hash = any.hash.slice(0, at) + other + any.hash.slice(at + 1);
      assert.ok(!hashHolds({ ...any, hash }));
      if (/[a-f]/.test(any.hash)) assert.ok(!hashHolds({ ...any, hash: any.hash.toUpperCase() }));
      assert.ok(!hashHolds({ ...any, hash: any.hash.slice(1) }));
      assert.ok(!hashHolds({ ...any, hash: '' }));
      assert.ok(!hashHolds({ ...any, body: `${any.body}.` }));
      assert.ok(!hashHolds({ ...any, content_type: `${any.content_type}.` }));
    }),
  );
});

test('hashHolds takes no lone surrogate', () => {
  const [first] = vectors.chain;
  assert.ok(first);
  assert.throws(() => hashHolds({ ...first.message, body: '\ud800' }), TypeError);
  assert.throws(() => hashHolds({ ...first.message, room: '\udfff' }), TypeError);
});
