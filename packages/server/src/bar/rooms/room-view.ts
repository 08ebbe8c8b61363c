import { genesis_hash } from '@stoa/proof';
import type { bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Head } from '../../log/log.ts';
import type { Bar } from '../bar.ts';
import { printInstant } from '../print-instant.ts';
import type { Member } from './member-store.ts';
import type { Room } from './room-store.ts';

export type RoomView = Static<typeof bar_schemas.Room>;
type MemberView = Static<typeof bar_schemas.Member>;

/** The stream of a room's messages in the log, and the topic that a new one wakes. */
export const roomStream = (slug: string): string => `bar/${slug}`;

/** The digits of a hash as they are printed; a chain begins with 64 zeros. */
export const hashDigits = (hash: Buffer | undefined): string =>
  hash?.toString('hex') ?? genesis_hash;

/** A room as it is printed; `head` is the end of its stream, undefined while that is empty. */
export function roomView(room: Room, head: Head | undefined): RoomView {
  const { slug, topic, visibility, created_by, created_at, member_count } = room;
  return {
    slug,
    topic,
    visibility,
    created_by,
    created_at: printInstant(created_at),
    message_count: head?.entries ?? 0,
    chain_head: hashDigits(head?.hash),
    member_count,
  };
}

/** Rooms as they are printed, in the order given. */
export async function roomViews<Listed extends Room>(
  { log }: Bar,
  rooms: readonly Listed[],
): Promise<{ room: Listed; view: RoomView }[]> {
  const heads = await log.heads(rooms.map(({ slug }) => roomStream(slug)));
  return rooms.map((room) => ({ room, view: roomView(room, heads.get(roomStream(room.slug))) }));
}

export function memberView({ joined_at, ...member }: Member): MemberView {
  return { ...member, joined_at: printInstant(joined_at) };
}
