import type { Room } from '../room.ts';

/** Of routes that no `openapi.json` lists. */
export const unlisted = { schema: { hide: true } } as const;

/**
 * What ends in a slash is another path, so no parameter is empty; and U+0000 is in no name that we keep,
 * which a room may say itself.
 */
export const isNothing = (parameter: string, room: Pick<Room, 'undecodable_as'>): boolean =>
  parameter === '' || (room.undecodable_as === undefined && parameter.includes('\0'));
