import assert from 'node:assert/strict';
import { test } from 'node:test';
import { header_bytes_max } from '../../packages/server/src/http/head-bounds.ts';
import { url_bytes_max } from '../../packages/server/src/karma/limits.ts';
import {
  pack_octets_max,
  push_commands_octets_max,
  wait_seconds_max,
} from '../../packages/server/src/network/limits.ts';
import { blocksUnder } from './read-blocks.ts';

const blocks = blocksUnder('Running it for real');

test('the nginx of the README lets through what the house takes, and waits for as long', () => {
  const { text = '' } = blocks.find(({ language }) => language === 'nginx') ?? {};
  const numberOf = (setting: RegExp): number => Number(setting.exec(text)?.[1]);
  const body_bytes = numberOf(/^ *client_max_body_size (\d+)m;/m) * 1_024 * 1_024;
  // So much that the house itself refuses what is too much, and says why.
  assert.ok(body_bytes > pack_octets_max + push_commands_octets_max, `${body_bytes}`);
  const line_bytes = numberOf(/^ *large_client_header_buffers \d+ (\d+)k;/m) * 1_024;
  assert.ok(line_bytes > url_bytes_max, `${line_bytes}`);
  assert.ok(line_bytes > header_bytes_max, `${line_bytes}`);
  const read_seconds = numberOf(/^ *proxy_read_timeout (\d+)s;/m);
  assert.ok(read_seconds > wait_seconds_max, `${read_seconds}`);
});
