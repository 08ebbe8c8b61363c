import type { ChunkRow, Of } from './tally-store.ts';

/** Events whose instants lie in one chunk. */
const chunk_events = 16;

/** Octets of a packed instant. */
const instant_octets = 6;

/** The instants that are packed in a chunk. */
export const instantsOf = (packed: Buffer): number[] =>
  Array.from({ length: packed.length / instant_octets }, (_, index) =>
    packed.readUIntBE(index * instant_octets, instant_octets),
  );

/** Where the instant of an event lies: in which chunk, and as which of it. */
export const placeOf = (event: number) => ({
  chunk: Math.floor((event - 1) / chunk_events),
  index: (event - 1) % chunk_events,
});

/** The last event of a chunk. */
export const lastOf = ({ chunk, instants }: Pick<ChunkRow, 'chunk' | 'instants'>): number =>
  chunk * chunk_events + instants.length / instant_octets;

/**
 * The chunks that hold the events of an account from `first` to `last`, with what is in the first of them already;
 * `instants` are those of its last events. What is forgotten of them is as long ago as can be.
 */
export function chunkUp(
  { tally, account }: Of,
  { first, last, instants }: { first: number; last: number; instants: readonly number[] },
): ChunkRow[] {
  const chunks: ChunkRow[] = [];
  for (let { chunk } = placeOf(first); chunk * chunk_events < last; chunk += 1) {
    const start = chunk * chunk_events + 1;
    const end = Math.min(last, start + chunk_events - 1);
    const packed = Buffer.alloc((end + 1 - start) * instant_octets);
    let last_at = 0;
    for (let event = start; event <= end; event += 1) {
      last_at = instants[instants.length - 1 - (last - event)] ?? 0;
      packed.writeUIntBE(last_at, (event - start) * instant_octets, instant_octets);
    }
    chunks.push({ tally, account, chunk, last_at, instants: packed });
  }
  return chunks;
}
