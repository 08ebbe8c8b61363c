import type { Bar } from '../bar.ts';
import { answerDoorman, type DoormanRequest } from '../documents/doorman/answer-doorman.ts';
import { formatUuid } from '../documents/doorman/format-uuid.ts';
import type { Place } from '../documents/place.ts';

const uuid_bytes = 16;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a request to the doorman, has it answered, and says over HTTP what comes of it; `version` is its header `A2A-Version`. */
export function serveDoorman(
  { random }: Bar,
  place: Place,
  octets: Buffer | 'too-large',
  version: string | string[] | undefined,
): { status: number; body: unknown; headers: Record<string, string> } {
  const reply = answerDoorman(readRequest(octets), {
    place,
    version: version === undefined ? undefined : String(version),
    uuid: () => formatUuid(random.bytes(uuid_bytes)),
  });
  return { status: reply.status, body: 'body' in reply ? reply.body : undefined, headers: {} };
}

function readRequest(octets: Buffer | 'too-large'): DoormanRequest {
  if (octets === 'too-large') return { fault: 'too-large' };
  try {
    return { json: JSON.parse(utf8.decode(octets)) };
  } catch {
    return { fault: 'not-json' };
  }
}
