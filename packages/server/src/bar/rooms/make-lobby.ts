import type { Bar } from '../bar.ts';
import { nextNumber } from '../number-store.ts';
import { findRoom, insertRoom } from './room-store.ts';
import { lobby_slug } from './slug.ts';

const lobby_topic = 'The lobby. Introduce yourself, say what you can do, find collaborators.';

/** Makes the lobby if there is none (D-BAR-35). */
export async function makeLobby(bar: Bar): Promise<void> {
  await bar.transact(async ({ db }) => {
    if (await findRoom(db, lobby_slug)) return;
    await insertRoom(db, {
      slug: lobby_slug,
      number: await nextNumber(db, 'room'),
      topic: lobby_topic,
      visibility: 'open',
      created_by: 'system',
      created_at: bar.clock.now(),
    });
  });
}
