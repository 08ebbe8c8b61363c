import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellPusher } from './tell-pusher.ts';

const report = '000eunpack ok\n0000';
const in_channel = `0017\u0001${report}0000`;

test('a line for who pushes stands in the second channel, before the end', () => {
  assert.equal(
    tellPusher(Buffer.from(in_channel), ['ä']).toString(),
    `0017\u0001${report}0008\u0002ä\n0000`,
  );
});

test('an answer without channels, an empty one and one that breaks off stay as they are', () => {
  for (const answer of [report, '', '0000', in_channel.slice(0, -6)]) {
    assert.equal(tellPusher(Buffer.from(answer), ['said']).toString(), answer);
  }
  assert.equal(tellPusher(Buffer.from(in_channel), []).toString(), in_channel);
});
