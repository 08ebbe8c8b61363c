/** One server-sent event, or a comment, which has no fields. */
export type ServerSentEvent = {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
};

const field_line = /^([^:]*)(?:: ?(.*))?$/s;
/** A line feed may follow a carriage return that came last, unless nothing follows. */
const line_end = /\r\n|\n|\r(?!$)/;
const last_line_end = /\r\n|\n|\r/;
const event_characters_max = 1_000_000;

function readEvent(lines: readonly string[]): ServerSentEvent {
  const event: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = field_line.exec(line) ?? [];
    const before = event[name];
    event[name] = name === 'data' && before !== undefined ? `${before}\n${value}` : value;
  }
  return event;
}

/**
 * Reads server-sent events as they come; comments too, so that who waits knows that somebody is there.
 *
 * @throws RangeError for an event that is longer than any of ours.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let lines: string[] = [];
  try {
    while (true) {
      const { done, value } = await reader.read();
      const text = rest + decoder.decode(value, { stream: !done });
      const parts = text.split(done ? last_line_end : line_end);
      rest = parts.pop() ?? '';
      if (rest.length > event_characters_max) throw new RangeError('an event is too long');
      for (const line of parts) {
        if (line !== '') lines.push(line);
        else if (lines.length > 0) {
          yield readEvent(lines);
          lines = [];
        }
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
