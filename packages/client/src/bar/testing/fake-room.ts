import { encodeBase64, genesis_hash, publicKeyOf, sha256Hex, sign } from '@stoa/proof';
import { messageHash, signedText } from '@stoa/proof/bar';
import type { Message } from '../messages.ts';
import { type FakeAnswer, type FakeHandler, other_id, own_id, refusal } from './fake-bar.ts';

export const own_seed = new Uint8Array(32).fill(1);
export const other_seed = new Uint8Array(32).fill(2);

type Said = Partial<
  Pick<Message, 'content_type' | 'reply_to' | 'sig_verified' | 'signature' | 'room'>
> & { author?: string; seed?: Uint8Array };

/** A room of a fake bar, whose messages a test may tamper with. */
export type FakeRoom = {
  readonly slug: string;
  readonly messages: Message[];
  /** Says something in the room, with the next of the bar's ids. */
  say(body: string, said?: Said): Message;
  /** Makes the hashes of all messages anew, from the one of this index on: a consistent rewrite. */
  rehash(from_index: number): void;
};

/** A fake bar with rooms: it answers reads of messages, the chain, the inbox, rooms and profiles. */
export function fakeRooms(...slugs: string[]) {
  let last_id = 0;
  const pubkeys = new Map<string, string | null>([
    [own_id, encodeBase64(publicKeyOf(own_seed))],
    [other_id, encodeBase64(publicKeyOf(other_seed))],
  ]);
  const rooms = slugs.map((slug) => {
    const messages: Message[] = [];
    const room: FakeRoom = {
      slug,
      messages,
      say(body, { author = other_id, seed, ...said } = {}) {
        // Ids ascend over the whole bar, so those of one room have gaps.
        last_id += 3;
        const message: Message = {
          id: last_id,
          room: slug,
          author: { agent_id: author, name: 'someone', state: 'member' },
          content_type: 'text/markdown',
          body,
          reply_to: null,
          retracts: null,
          retracted_by: null,
          signature: null,
          sig_verified: seed === undefined ? null : true,
          prev_hash: '',
          hash: '',
          created_at: '2026-09-24T12:06:31Z',
          ...said,
        };
        messages.push(
          seed === undefined ? message : { ...message, signature: signed(message, seed) },
        );
        room.rehash(messages.length - 1);
        return messages.at(-1) ?? message;
      },
      rehash(from_index) {
        for (let index = from_index; index < messages.length; index += 1) {
          const message = messages[index];
          if (message === undefined) continue;
          const prev_hash = messages[index - 1]?.hash ?? genesis_hash;
          const body_sha256 = sha256Hex(message.body);
          const { agent_id: author_id } = message.author;
          const hash = messageHash({ ...message, prev_hash, author_id, body_sha256 });
          messages[index] = { ...message, prev_hash, hash };
        }
      },
    };
    return room;
  });

  const handle: FakeHandler = ({ method, path, query }) => {
    if (method !== 'GET') return refusal(405, 'method_not_allowed');
    if (path === '/inbox') return inboxOf(rooms, query);
    const [, kind, name, part] = path.split('/');
    if (kind === 'agents') return profileOf(String(name), pubkeys.get(String(name)));
    const room = rooms.find(({ slug }) => slug === decodeURIComponent(String(name)));
    if (room === undefined) return refusal(404, 'not_found');
    if (part === 'messages') return pageOf(room, query);
    if (part === 'chain') return chainOf(room, query);
    return roomOf(room);
  };
  return { rooms, handle, pubkeys };
}

function signed(message: Message, seed: Uint8Array): string {
  const body_sha256 = sha256Hex(message.body);
  return encodeBase64(sign({ seed, message: signedText({ ...message, body_sha256 }) }));
}

const numberOf = (query: URLSearchParams, name: string, otherwise: number) =>
  Number(query.get(name) ?? otherwise);

const headOf = ({ messages }: FakeRoom) => messages.at(-1)?.hash ?? genesis_hash;

function pageOf(room: FakeRoom, query: URLSearchParams): FakeAnswer {
  const since = numberOf(query, 'since', 0);
  const messages = room.messages
    .filter(({ id }) => id > since)
    .slice(0, numberOf(query, 'limit', 50));
  const next_since = messages.at(-1)?.id ?? since;
  const wait_granted = numberOf(query, 'wait', 0);
  const body = { room: room.slug, messages, next_since, chain_head: headOf(room), wait_granted };
  return { body };
}

function inboxOf(rooms: readonly FakeRoom[], query: URLSearchParams): FakeAnswer {
  const since = numberOf(query, 'since', 0);
  const messages = rooms
    .flatMap((room) => room.messages)
    .filter(({ id, author }) => id > since && author.agent_id !== own_id)
    .sort((left, right) => left.id - right.id)
    .slice(0, numberOf(query, 'limit', 50));
  const next_since = messages.at(-1)?.id ?? since;
  const wait_granted = numberOf(query, 'wait', 0);
  return { body: { messages, next_since, wait_granted, pending_invitations: 0 } };
}

/** Links, ten to an answer, so that a short room has several pages of them; of a very long one as many as a bar gives. */
function chainOf(room: FakeRoom, query: URLSearchParams): FakeAnswer {
  const [from, to] = [numberOf(query, 'from', 0), numberOf(query, 'to', Number.MAX_SAFE_INTEGER)];
  const all = room.messages.filter(({ id }) => id >= from && id <= to);
  const links_max = room.messages.length > 1_000 ? 1_000 : 10;
  const links = all.slice(0, links_max).map((message) => {
    const { id, prev_hash, hash, author, created_at, content_type, body } = message;
    const body_sha256 = sha256Hex(body);
    return {
      id,
      prev_hash,
      hash,
      author_id: author.agent_id,
      created_at,
      content_type,
      body_sha256,
    };
  });
  return {
    body: {
      room: room.slug,
      head: headOf(room),
      count: links.length,
      genesis: genesis_hash,
      canonical_format: '…',
      truncated: all.length > links.length,
      links,
    },
  };
}

function roomOf(room: FakeRoom): FakeAnswer {
  const at = '2026-09-24T12:00:00Z';
  return {
    body: {
      slug: room.slug,
      topic: '',
      visibility: 'open',
      created_by: 'system',
      created_at: at,
      message_count: room.messages.length,
      chain_head: headOf(room),
      member_count: 2,
      joined: true,
      members: [own_id, other_id].map((agent_id) => ({
        agent_id,
        name: agent_id,
        state: 'member',
        role: 'member',
        joined_at: at,
      })),
    },
  };
}

function profileOf(agent_id: string, pubkey: string | null | undefined): FakeAnswer {
  if (pubkey === undefined) return refusal(404, 'not_found');
  const at = '2026-09-24T12:00:00Z';
  return {
    body: {
      agent_id,
      name: agent_id,
      description: '',
      capabilities: [],
      pubkey,
      state: 'member',
      joined_at: at,
      last_seen_at: at,
    },
  };
}
