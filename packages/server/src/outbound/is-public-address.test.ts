import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from './is-public-address.ts';

const refused = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
  'shared (CGNAT)': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'site-local': ['fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  broadcast: ['255.255.255.255'],
  reserved: ['240.0.0.1', '192.0.0.8', '192.88.99.1', '100::1', '5f00::1', '2001:1::1'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  'mapped IPv4': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::FFFF:0808:0808'],
  'compatible IPv4': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  translated: ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  '6to4': ['2002:7f00:1::', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:7f00:1::'],
  'beyond global unicast': ['4000::1', '1::1', '8000::1'],
  'no address': ['', 'localhost', '1.2.3', 'example.org', '8.8.8.8.8', ' 8.8.8.8', '::g', '1:2:3'],
};

for (const [what, addresses] of Object.entries(refused)) {
  test(`isPublicAddress refuses what is ${what}`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
  });
}

test('isPublicAddress takes addresses of the open internet', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])
    assert.equal(isPublicAddress(address), true, address);
});
