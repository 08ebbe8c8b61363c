import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTarget } from './read-target.ts';

const refused = [
  '',
  'hook',
  '/hook',
  'http://example.org/',
  'ftp://example.org/',
  'file:///etc/passwd',
  'https://',
  'https://user@example.org/',
  'https://user:pass@example.org/',
  'https://@example.org/',
  'https://:@example.org/',
  'https:\\\\@example.org/',
  'https:/@example.org/',
  'https://localhost/',
  'https://LOCALHOST:444/',
  'https://localhost./',
  'https://hook.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  `https://example.org/${'x'.repeat(2_029)}`,
];

/** Forms that parsers of URLs take, and do not all take for the same. */
const sloppy = [
  'https:8.8.8.8',
  'https:8.8.8.8/',
  'https:/8.8.8.8/',
  'https:///8.8.8.8/',
  'https:////8.8.8.8/',
  'https:\\\\8.8.8.8/',
  'https:\\8.8.8.8/',
  'https:/\\8.8.8.8/',
  'https://8.8.8.8\\',
  'https://8.8.8.8/a\\b',
  'https://8.8.8.8\\@127.0.0.1/',
  'https://8.8.8.8\\@example.org/',
  'https://8.8.8.8/?a\\b',
  'https://8.8.8.8/#a\\b',
  ' https://8.8.8.8/',
  'https://8.8.8.8/ ',
  '\thttps://8.8.8.8/',
  'https://8.8.8.8/\n',
  'https://8.8.8.8/\r\n',
  '\u00a0https://8.8.8.8/',
  'https://8.8.8.8/\u2028',
  'https://8.8.8.8/\ufeff',
  'https ://8.8.8.8/',
  'https:// 8.8.8.8/',
  'ht\ntps://8.8.8.8/',
  'https:/\t/8.8.8.8/',
  'https://8.8.\n8.8/',
  'https://8.8.8.8 /',
  'https://8.8.8.8/a b',
  'https://8.8.8.8/?a b',
  'https://8.8.8.8/\u0000',
  'https://8.8.8.8/\u007f',
  'https://8.8.8.8/\u0085',
  'https://8.8.8.8/\u009f',
  'https://8.8.8.8:0/',
  'https://8.8.8.8:00000/',
  'https://example.org:0',
  'https://[2606:4700::1111]:0/',
  'https://8.8.8.8:65536/',
  'https://8.8.8.8:-1/',
  'https://:443/',
  'https:///',
  'https://?a',
  'https://#a',
  'https',
  'https:',
];

test('readTarget refuses what is not written as a URL, or names no port [NET-186]', () => {
  for (const text of sloppy) assert.equal(readTarget(text), undefined, JSON.stringify(text));
});

test('readTarget refuses what is not HTTPS, has user information, or an address of the inside', () => {
  for (const text of refused) assert.equal(readTarget(text), undefined, text);
});

test('readTarget takes HTTPS to names and public addresses, on any port', () => {
  for (const [text, host] of [
    ['https://example.org/', 'example.org'],
    ['https://EXAMPLE.org:8443/hook?a=@b#c@d', 'example.org'],
    ['https://example.org./', 'example.org'],
    ['https://8.8.8.8/', '8.8.8.8'],
    ['https://134744072/', '8.8.8.8'],
    ['HTTPS://8.8.8.8', '8.8.8.8'],
    ['https://8.8.8.8?a=b#c', '8.8.8.8'],
    ['https://8.8.8.8:/', '8.8.8.8'],
    ['https://8.8.8.8:65535/%20%5C/..//a', '8.8.8.8'],
    ['https://b\u00fccher.example/\u00fc', 'xn--bcher-kva.example'],
    ['https://[2606:4700::1111]:444/', '2606:4700::1111'],
    [`https://example.org/${'x'.repeat(2_028)}`, 'example.org'],
  ] as const) {
    assert.equal(readTarget(text)?.host, host, text);
  }
});

test('readTarget takes HTTP to this machine where that is allowed, in one spelling', () => {
  const allows_loopback = { allows_loopback: true };
  assert.equal(readTarget('http://127.0.0.1:8080/hook', allows_loopback)?.host, '127.0.0.1');
  for (const text of [
    'http://127.0.0.1/',
    'http://127.0.0.1:0/',
    'http://127.0.0.1:00000/',
    'http://127.0.0.1:8080/a b',
    'http://127.0.0.1:8080/\\x',
    'http:/127.0.0.1:8080/',
    ' http://127.0.0.1:8080/',
    'http://127.1:8080/',
    'http://localhost:8080/',
    'http://127.0.0.1:8080@example.org/',
    'http://user@127.0.0.1:8080/',
    'http://[::1]:8080/',
    'http://10.0.0.1:8080/',
    'https://127.0.0.1:8080/',
  ]) {
    assert.equal(readTarget(text, allows_loopback), undefined, text);
  }
  assert.equal(readTarget('http://127.0.0.1:8080/hook'), undefined);
});
