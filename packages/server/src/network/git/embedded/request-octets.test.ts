import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { RefusalError } from '../../../refusal.ts';
import { boundCommands, requestOctets } from './request-octets.ts';

const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

async function all(octets: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of octets) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}

const refused = (code: string) => (error: unknown) =>
  error instanceof RefusalError && error.code === code;

test('requestOctets gives up to as many octets as are taken, plain or from gzip', async () => {
  const body = Buffer.alloc(1_000, 'a');
  const of = (sent: Buffer, encoding?: string) => ({
    body: Readable.from([sent.subarray(0, 10), sent.subarray(10)]),
    headers: encoding === undefined ? {} : { 'content-encoding': encoding },
  });
  assert.equal((await all(requestOctets(of(body), 1_000))).length, 1_000);
  assert.equal((await all(requestOctets(of(gzipSync(body), 'gzip'), 1_000))).length, 1_000);
  assert.equal((await all(requestOctets(of(gzipSync(body), 'x-gzip'), 1_000))).length, 1_000);
  await assert.rejects(all(requestOctets(of(body), 999)), refused('body_too_large'));
  await assert.rejects(
    all(requestOctets(of(gzipSync(body), 'gzip'), 999)),
    refused('body_too_large'),
  );
  await assert.rejects(all(requestOctets(of(body, 'gzip'), 1_000)), refused('invalid_json'));
  await assert.rejects(
    all(requestOctets(of(body, 'br'), 1_000)),
    refused('unsupported_media_type'),
  );
  assert.equal(await all(requestOctets({ body: Buffer.alloc(0), headers: {} }, 1)), '');
});

test('requestOctets takes the rest of a body that is too large, and closes nothing', async () => {
  const body = new PassThrough();
  body.write(Buffer.alloc(100));
  await assert.rejects(all(requestOctets({ body, headers: {} }, 99)), refused('body_too_large'));
  assert.equal(body.destroyed, false);
  for (let count = 0; count < 50; count += 1) body.write(Buffer.alloc(10_000));
  body.end();
  await new Promise((resolve) => body.once('end', resolve));
});

test('boundCommands passes a push on, however it is cut, and refuses too long a list of branches', async () => {
  const commands = `${line('one')}${line('two two')}0000`;
  const whole = `${commands}PACK${'\u00ff0000'.repeat(50)}`;
  for (const size of [1, 3, 4, 7, 1_000]) {
    const cut = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
      Buffer.from(whole.slice(at * size, (at + 1) * size), 'latin1'),
    );
    assert.equal(await all(boundCommands(Readable.from(cut), commands.length - 4)), whole);
    await assert.rejects(
      all(boundCommands(Readable.from(cut), commands.length - 5)),
      refused('body_too_large'),
    );
  }
  // What is no list at all is for git to refuse.
  assert.equal(await all(boundCommands(Readable.from([Buffer.from('zzzz')]), 1)), 'zzzz');
  assert.equal(await all(boundCommands(Readable.from([Buffer.from('0000')]), 1)), '0000');
  assert.equal(await all(boundCommands(Readable.from([]), 1)), '');
});
