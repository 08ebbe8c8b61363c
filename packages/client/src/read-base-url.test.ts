import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBaseUrl } from './read-base-url.ts';

test('readBaseUrl takes slashes away at the end, and refuses what a path cannot be added to', () => {
  assert.equal(readBaseUrl('https://stoa.example'), 'https://stoa.example');
  assert.equal(readBaseUrl('HTTPS://Stoa.Example:443/net//'), 'https://stoa.example/net');
  for (const text of [
    '',
    'net',
    '/net',
    'ftp://stoa.example/',
    'file:///net',
    'https://stoa.example/net?',
    'https://stoa.example/net?a=b',
    'https://stoa.example/net#',
    'https://stoa.example/net#a',
    'https://user@stoa.example/net',
    'https://user:word@stoa.example/net',
    'https://:word@stoa.example/net',
  ]) {
    assert.throws(() => readBaseUrl(text), TypeError, text);
  }
});
