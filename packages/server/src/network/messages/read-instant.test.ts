import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInstant } from './read-instant.ts';

const noon = Date.parse('2026-10-10T12:00:00Z');

test('readInstant reads RFC 3339 with an offset and whole Unix seconds [NET-121]', () => {
  const read: readonly [string, number][] = [
    ['2026-10-10T12:00:00Z', noon],
    ['2026-10-10t12:00:00z', noon],
    ['2026-10-10T12:00:00.5Z', noon + 500],
    ['2026-10-10T12:00:00.123456789Z', noon + 123],
    ['2026-10-10T14:00:00+02:00', noon],
    ['2026-10-09T12:30:00-23:30', noon],
    ['2026-10-10T12:00:00-00:00', noon],
    ['2026-12-31T23:59:60Z', Date.parse('2027-01-01T00:00:00Z')],
    ['2028-02-29T00:00:00Z', Date.parse('2028-02-29T00:00:00Z')],
    ['0000-01-01T00:00:00Z', Date.parse('0000-01-01T00:00:00Z')],
    [String(noon / 1_000), noon],
    ['0', 0],
    ['000000000007', 7_000],
    ['999999999999', 999_999_999_999_000],
  ];
  for (const [text, instant] of read) assert.equal(readInstant(text), instant, text);
});

test('readInstant reads nothing else, and no day or hour that there is not [NET-121]', () => {
  const others = [
    '',
    ' 0',
    '0\n',
    '-1',
    '1.5',
    '1e3',
    '1234567890123',
    '\u0661',
    'now',
    '2026-10-10',
    '2026-10-10T12:00Z',
    '2026-10-10T12:00:00',
    '2026-10-10 12:00:00Z',
    '2026-10-10T12:00:00.Z',
    '2026-10-10T12:00:00,5Z',
    '2026-10-10T12:00:00+0200',
    '2026-10-10T12:00:00+02',
    '2026-10-10T12:00:00+24:00',
    '2026-10-10T12:00:00+02:60',
    '2026-10-10T24:00:00Z',
    '2026-10-10T12:60:00Z',
    '2026-10-10T12:00:61Z',
    '2026-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '+02026-10-10T12:00:00Z',
    '2026-10-10T12:00:00Z\n',
  ];
  for (const text of others) assert.equal(readInstant(text), undefined, JSON.stringify(text));
});
