import type { Room } from '../room.ts';

/** Finds the room under whose mount a URL stands; the room at the root has what no other one has. */
export function roomFinder(rooms: readonly Room[]): (url: string) => Room {
  const deepest_first = rooms.toSorted((a, b) => b.mount.length - a.mount.length);
  return (url) => {
    const found = deepest_first.find(
      ({ mount }) =>
        mount === '' ||
        (url.startsWith(mount) && ['/', '?', undefined].includes(url[mount.length])),
    );
    if (!found) throw new Error('no room stands at the root');
    return found;
  };
}
