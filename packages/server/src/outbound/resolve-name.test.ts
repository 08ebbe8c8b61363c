import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { openOutbound } from './outbound.ts';
import { readTarget } from './read-target.ts';
import { openResolver } from './resolve-name.ts';

const types: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };
type Records = Record<string, Partial<Record<'A' | 'AAAA', number[][]>>>;

/** A name server that knows these records and says of any other name that there is none. */
async function openNameServer(records: Records) {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    while (query[at]) {
      const length = query[at] ?? 0;
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(12, at + 5);
    const type = types[query.readUInt16BE(at + 1)] ?? 'A';
    const known = records[labels.join('.')];
    const answers = (known?.[type] ?? []).map((octets) => {
      const head = Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 0, 0]);
      return Buffer.concat([head, Buffer.from([octets.length, ...octets])]);
    });
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

test('a resolver answers all addresses of a name, none for one without, and throws for one that is not', async () => {
  await using names = await openNameServer({
    'both.test': {
      A: [
        [8, 8, 8, 8],
        [10, 0, 0, 1],
      ],
      AAAA: [[0xfe, 0x80, ...Array(13).fill(0), 1]],
    },
    'four.test': { A: [[1, 1, 1, 1]] },
    'none.test': {},
  });
  const resolve = openResolver({ servers: [names.server] });
  assert.deepEqual([...(await resolve('both.test'))].sort(), ['10.0.0.1', '8.8.8.8', 'fe80::1']);
  assert.deepEqual(await resolve('four.test'), ['1.1.1.1']);
  assert.deepEqual(await resolve('none.test'), []);
  await assert.rejects(async () => resolve('other.test'), { code: 'ENOTFOUND' });
  const outbound = openOutbound({ resolve });
  const may = (host: string) => {
    const target = readTarget(`https://${host}/`) ?? assert.fail(host);
    return outbound.mayCall(target, 5_000);
  };
  assert.deepEqual(
    await Promise.all(['both.test', 'four.test', 'none.test', 'other.test'].map(may)),
    [false, true, false, false],
  );
});

test('of a name server that does not answer nothing is held against a name', async () => {
  const resolve = openResolver({ servers: ['127.0.0.1:1'] });
  const target = readTarget('https://any.test/') ?? assert.fail();
  assert.equal(await openOutbound({ resolve }).mayCall(target, 10_000), true);
});
