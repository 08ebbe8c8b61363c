import assert from 'node:assert/strict';
import type { TestHouse } from './open-house.ts';

/** One event of a stream, or a comment of it. */
export type StreamEvent = {
  readonly id?: string;
  readonly event?: string;
  /** JSON, read. */
  // biome-ignore lint/suspicious/noExplicitAny: @NOTE tests look into what they expect.
  readonly data?: any;
  readonly comment?: string;
  readonly retry?: string;
};

export type EventStream = {
  readonly status: number;
  readonly headers: Headers;
  /** The next event or comment; undefined once the stream has ended. */
  next(): Promise<StreamEvent | undefined>;
  /** So many events of one kind, comments and others left out. */
  take(event: string, count: number): Promise<StreamEvent[]>;
  close(): void;
};

function readFrame(text: string): StreamEvent {
  const frame: Record<string, unknown> = {};
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon) || 'comment';
    assert.ok(colon >= 0 && !(name in frame), `each field stands once: ${text}`);
    const value = line.slice(colon + 1).replace(/^ /, '');
    frame[name] = name === 'data' ? JSON.parse(value) : value;
  }
  return frame;
}

/** Opens a stream of server-sent events of a house. */
export async function openEventStream(
  house: TestHouse,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const abort = new AbortController();
  const response = await house.fetch(path, { headers, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const frame = text.slice(0, end);
        text = text.slice(end + 2);
        return readFrame(frame);
      }
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return undefined;
      text += value;
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    next,
    async take(event, count) {
      const taken: StreamEvent[] = [];
      while (taken.length < count) {
        const frame = await next();
        assert.ok(frame, 'the stream has ended');
        if (frame.event === event) taken.push(frame);
      }
      return taken;
    },
    close: () => abort.abort(),
  };
}
