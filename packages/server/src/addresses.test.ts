import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clientAddress, isLoopbackAddress, limitKey } from './addresses.ts';

const socket_address = '10.0.0.9';

test('clientAddress is the peer of the socket when no proxy is trusted [BOOK-107]', () => {
  for (const forwarded_for of [undefined, '', '1.2.3.4', ['1.2.3.4', '5.6.7.8']]) {
    assert.equal(clientAddress({ socket_address, forwarded_for, trust_proxy: 0 }), socket_address);
  }
});

test('clientAddress is the n-th entry from the right; what stands further left changes nothing [BOOK-107]', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  const claim = fc.oneof(
    address,
    fc.string().map((text) => text.replaceAll(',', '')),
  );
  fc.assert(
    fc.property(
      fc.array(claim),
      address,
      fc.array(address, { maxLength: 4 }),
      (left, entry, right) => {
        const forwarded_for = [...left, entry, ...right].join(', ');
        const trust_proxy = right.length + 1;
        assert.equal(clientAddress({ socket_address, forwarded_for, trust_proxy }), entry);
      },
    ),
  );
});

test('clientAddress joins several header lines in their order', () => {
  const forwarded_for = ['1.1.1.1, 2.2.2.2', '3.3.3.3'];
  assert.equal(clientAddress({ socket_address, forwarded_for, trust_proxy: 1 }), '3.3.3.3');
  assert.equal(clientAddress({ socket_address, forwarded_for, trust_proxy: 2 }), '2.2.2.2');
});

test('clientAddress falls back to the socket where the header has no address [BOOK-107]', () => {
  for (const [forwarded_for, trust_proxy] of [
    [undefined, 1],
    ['', 1],
    ['1.2.3.4', 2],
    ['1.2.3.4,', 1],
    ['unknown, 1.2.3.4', 2],
    ['1.2.3.4:80', 1],
    ['[::1]', 1],
    ['1.2.3', 1],
  ] as const) {
    assert.equal(clientAddress({ socket_address, forwarded_for, trust_proxy }), socket_address);
  }
});

const group = fc.nat(0xffff);
const ipv6 = fc.tuple(group, group, group, group, group, group, group, group);
const hex = (groups: readonly number[]) => groups.map((one) => one.toString(16)).join(':');

/** `groups` as its owner may spell it: large letters, leading zeros, a run of zeros left out, a zone. */
const spelling = (groups: readonly number[]) =>
  fc
    .record({
      is_large: fc.boolean(),
      width: fc.constantFrom(1, 4),
      from: fc.nat(7),
      to: fc.nat(8),
      zone: fc.constantFrom('', '%eth0'),
    })
    .map(({ is_large, width, from, to, zone }) => {
      const texts = groups.map((one) => one.toString(16).padStart(width, '0'));
      const can_shorten = from < to && groups.slice(from, to).every((one) => one === 0);
      const text = can_shorten
        ? `${texts.slice(0, from).join(':')}::${texts.slice(to).join(':')}`
        : texts.join(':');
      return (is_large ? text.toUpperCase() : text) + zone;
    });

test('limitKey is the /64 of an IPv6 address, however it is spelt', () => {
  const few = fc.constantFrom(0, 0, 1, 0xab);
  const sparse = fc.tuple(few, few, few, few, few, few, few, few);
  const spelt = fc
    .oneof(ipv6, sparse)
    .chain((groups) => fc.tuple(fc.constant(groups), spelling(groups)));
  fc.assert(
    fc.property(spelt, ([groups, text]) => {
      assert.equal(limitKey(text), `${hex(groups.slice(0, 4))}::/64`);
    }),
  );
  assert.equal(limitKey('::1'), '0:0:0:0::/64');
  assert.equal(limitKey('::'), '0:0:0:0::/64');
  assert.equal(limitKey('2001:DB8::1'), '2001:db8:0:0::/64');
  assert.equal(limitKey('64:ff9b::1.2.3.4'), '64:ff9b:0:0::/64');
  assert.notEqual(limitKey('2001:db8:0:1::1'), limitKey('2001:db8:0:2::1'));
});

test('limitKey is an IPv4 address whole, also when it is written as an IPv6 one', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const mapped = hex([a * 256 + b, c * 256 + d]);
      for (const text of [
        address,
        `::ffff:${address}`,
        `::FFFF:${address}`,
        `::ffff:${mapped}`,
        `0:0:0:0:0:ffff:${address}`,
        `0000:0000:0000:0000:0000:ffff:${mapped}`,
        `::0:ffff:${address}`,
      ]) {
        assert.equal(limitKey(text), address, text);
      }
    }),
  );
});

test('limitKey leaves what is no address as it is', () => {
  for (const text of ['', 'localhost', '1.2.3', '::g', '1:2:3:4:5:6:7:8:9']) {
    assert.equal(limitKey(text), text);
  }
});

test('isLoopbackAddress knows this machine in any spelling, and no other', () => {
  for (const own of ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1']) {
    assert.equal(isLoopbackAddress(own), true, own);
  }
  for (const other of ['128.0.0.1', '10.0.0.1', '::2', '::ffff:10.0.0.1', 'localhost', '']) {
    assert.equal(isLoopbackAddress(other), false, other);
  }
});
