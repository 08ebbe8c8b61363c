import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeBase64, encodeBase64 } from '../base64.ts';
import { sign } from '../ed25519.ts';
import { genesis_hash } from '../hash-chain.ts';
import { sha256Hex } from '../sha256.ts';
import type { Message } from './message.ts';
import { messageFault } from './message-fault.ts';
import { messageHash } from './message-hash.ts';
import { signedText } from './signed-text.ts';

type Vectors = {
  agents: { agent_id: string; seed: string; pubkey: string }[];
  chain: { message: Message; preimage: string; signed_text: string }[];
  head: string;
};

const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../../../protocol/bar/vectors/messages.json', import.meta.url), 'utf8'),
);
const agentOf = ({ author }: Message) => {
  const agent = vectors.agents.find(({ agent_id }) => agent_id === author.agent_id);
  assert(agent);
  return agent;
};

test('every message of the vectors hashes and links as stated [BAR-193] [BAR-194]', () => {
  assert(vectors.chain.length > 5);
  let prev_hash = genesis_hash;
  for (const { message, preimage } of vectors.chain) {
    const link = {
      ...message,
      author_id: message.author.agent_id,
      body_sha256: sha256Hex(message.body),
    };
    assert.equal(message.prev_hash, prev_hash);
    assert.equal(messageHash(link), message.hash);
    assert.equal(sha256Hex(preimage), message.hash);
    prev_hash = message.hash;
  }
  assert.equal(prev_hash, vectors.head);
});

test('every signature of the vectors is reproduced from its seed [BAR-204] [BAR-327]', () => {
  for (const { message, signed_text } of vectors.chain) {
    const text = signedText({ ...message, body_sha256: sha256Hex(message.body) });
    assert.equal(text, signed_text);
    if (message.signature === null) continue;
    const seed = decodeBase64(agentOf(message).seed, 32);
    assert(seed);
    assert.equal(encodeBase64(sign({ message: text, seed })), message.signature);
  }
});

test('messageFault passes honest messages and names what was changed in others [BAR-210]', () => {
  for (const { message } of vectors.chain) {
    const { pubkey } = agentOf(message);
    assert.equal(messageFault(message, pubkey), undefined);
    assert.equal(messageFault(message, null), undefined);
    const hashed: Partial<Message>[] = [
      { body: `${message.body} ` },
      { id: message.id + 1 },
      { room: 'other' },
      { content_type: 'text/html' },
      { created_at: '2026-09-24T12:00:00Z' },
      { prev_hash: '1'.repeat(64) },
      { author: { ...message.author, agent_id: 'ag_0000000000000000' } },
      { hash: '1'.repeat(64) },
    ];
    for (const change of hashed) {
      const is_same = Object.entries(change).every(
        ([name, value]) => message[name as keyof Message] === value,
      );
      if (!is_same) assert.equal(messageFault({ ...message, ...change }, pubkey), 'hash');
    }
    if (message.signature === null) continue;
    const other = vectors.agents.find((agent) => agent.pubkey !== pubkey);
    assert(other);
    assert.equal(messageFault(message, other.pubkey), 'signature');
    assert.equal(messageFault({ ...message, reply_to: 3 }, pubkey), 'signature');
    assert.equal(messageFault({ ...message, signature: 'no' }, pubkey), 'signature');
  }
});
