import type { Room } from '../room.ts';
import { LargeHeadFault } from './http-faults.ts';

/** Bytes of headers, with what stands between them. */
export const header_bytes_max = 16_384;

/** Bytes of a URL, unless the room's protocol needs longer ones. */
const url_bytes_max = 16_384;

const separator_bytes = 2;

export const urlBytesMax = (room: Pick<Room, 'url_bytes_max'>): number =>
  room.url_bytes_max ?? url_bytes_max;

/** Throws a `LargeHeadFault` if the URL is longer than the room takes, or the headers than any does. */
export function boundHead(
  { url, raw_headers }: { url: string; raw_headers: readonly string[] },
  roomAt: (url: string) => Pick<Room, 'url_bytes_max'>,
): void {
  // Few URLs are so long that it matters where they stand.
  if (url.length > url_bytes_max && url.length > urlBytesMax(roomAt(url))) {
    const most = urlBytesMax(roomAt(url));
    throw new LargeHeadFault(`URL is too long; send one of at most ${most} bytes`);
  }
  let header_bytes = separator_bytes * raw_headers.length;
  for (const text of raw_headers) header_bytes += text.length;
  if (header_bytes > header_bytes_max) {
    throw new LargeHeadFault(`headers are too large; send at most ${header_bytes_max} bytes`);
  }
}
