import { sha256, sha256Hex, utf8Bytes } from '@stoa/proof';
import { type MessageLink, messageHash } from '@stoa/proof/bar';
import { checkMessages, room_start } from '../packages/client/src/bar/check-messages.ts';
import type { Message } from '../packages/client/src/bar/messages.ts';
import { type Bench, type BenchRow, inTurn, perSecond } from './bench.ts';

const room = 'the-bar';
const messages_count = 50_000;
const rounds = 5;
/** What a machine must verify, or come as close to bare hashing as the ratio says. */
const links_per_second_target = 100_000;
const ratio_target = 1 / 1.5;

/** A room of chained messages with bodies of 200 bytes, unsigned. */
function makeRoom(): Message[] {
  const messages: Message[] = [];
  let prev_hash = room_start.hash;
  for (let index = 1; index <= messages_count; index += 1) {
    const message: Message = {
      // Ids are given out over all rooms.
      id: index * 3,
      room,
      author: { agent_id: 'ag_0123456789abcdef', name: 'marginalia', state: 'member' },
      content_type: 'text/markdown',
      body: `${index} `.padEnd(200, 'x'),
      reply_to: null,
      retracts: null,
      retracted_by: null,
      signature: null,
      sig_verified: null,
      prev_hash,
      hash: '',
      created_at: '2026-09-24T12:06:31Z',
    };
    const hash = messageHash(linkOf(message));
    messages.push({ ...message, hash });
    prev_hash = hash;
  }
  return messages;
}

function linkOf(message: Message): MessageLink {
  const body_sha256 = sha256Hex(message.body);
  return { ...message, author_id: message.author.agent_id, body_sha256 };
}

/** The bytes that verifying a message hashes: its body, and the text of its link. */
function hashedBytes(message: Message): [body: Uint8Array, link: Uint8Array] {
  const { prev_hash, id, author_id, created_at, content_type, body_sha256 } = linkOf(message);
  const link = [prev_hash, id, room, author_id, created_at, content_type, body_sha256];
  return [utf8Bytes(message.body), utf8Bytes(['korova-chain-v1', ...link].join('\n'))];
}

function timed(work: () => void): Promise<{ operations: number; elapsed_ms: number }> {
  const begun_at = performance.now();
  work();
  return Promise.resolve({
    operations: messages_count,
    elapsed_ms: performance.now() - begun_at,
  });
}

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  const messages = makeRoom();
  const bytes = messages.map(hashedBytes);
  const rates = await inTurn(
    rounds,
    {
      'bare SHA-256': () =>
        timed(() => {
          for (const [body, link] of bytes) {
            sha256(body);
            sha256(link);
          }
        }),
      'chain verification': () =>
        timed(() => {
          const last = checkMessages(room, messages, room_start);
          if (last?.id !== messages_count * 3) throw new Error('the chain was not verified');
        }),
    },
    say,
  );
  const [bare, ours] = [rates['bare SHA-256'], rates['chain verification']];
  const is_fast = ours >= links_per_second_target;
  return [
    { what: 'bare SHA-256 over the same bytes', value: perSecond(bare) },
    {
      what: 'messages verified: body, link and place',
      value: perSecond(ours),
      ratio: {
        of: 'bare SHA-256',
        value: ours / bare,
        ...(is_fast ? {} : { target: ratio_target }),
      },
    },
  ];
}

/** What a client pays for checking what it reads. */
export const client_bench: Bench = {
  name: 'client',
  title: 'Client: verifying a room of 200-byte messages',
  method: `The TypeScript client verifies the hash chain of ${messages_count.toLocaleString('en-US')} unsigned messages that it has read; the baseline hashes the same bytes with the same SHA-256 and does nothing else. Asked for are ${links_per_second_target.toLocaleString('en-US')} links a second, or 1/1.5 of the baseline.`,
  run,
};
