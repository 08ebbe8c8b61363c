/** The URLs that the house prints; all of them are its own. */
export type Urls = {
  /** The main origin, without a slash at its end. */
  origin(): string;
  /** The base URL of a room, without a slash at its end: its own host's if it has one. */
  room(name: string, mount: string): string;
};

/**
 * The URLs of a house that is reached at `origin()`, and whose rooms may have hosts of their own under
 * the same scheme and port; the first of a room's hosts is the one that is printed.
 */
export function openUrls(
  origin: () => string,
  hosts: Readonly<Record<string, readonly string[]>>,
): Urls {
  return {
    origin,
    room(name, mount) {
      const host = hosts[name]?.[0];
      if (host === undefined) return origin() + mount;
      const { protocol, port } = new URL(origin());
      return `${protocol}//${host}${port && `:${port}`}`;
    },
  };
}
