import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { RefusalError } from '../../../refusal.ts';
import type { RawRequest } from '../../../room.ts';

const too_large = (octets_max: number) =>
  new RefusalError('body_too_large', {
    detail: `The request is larger than the ${octets_max} bytes that are taken here.`,
  });

/** What cannot be read as git sends it. */
export const unreadable = (detail: string) =>
  new RefusalError('invalid_json', { detail, hint: 'Send the request as git does.' });

/**
 * The octets of a request of git as they come, decoded if they are compressed; refuses more than
 * `octets_max` of them. What was not read by then is taken and thrown away, so that the client reads the
 * answer.
 */
export async function* requestOctets(
  { body, headers }: Pick<RawRequest, 'body' | 'headers'>,
  octets_max: number,
): AsyncGenerator<Buffer> {
  const request = Buffer.isBuffer(body) ? Readable.from(body.length > 0 ? [body] : []) : body;
  const decoded = decode(request, headers['content-encoding']);
  let octets = 0;
  try {
    // @NOTE Both are streams of buffers.
    for await (const part of decoded.iterator({ destroyOnReturn: false })) {
      octets += (part as Buffer).length;
      if (octets > octets_max) throw too_large(octets_max);
      yield part as Buffer;
    }
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code.startsWith('Z_')) throw unreadable('The body is not the gzip that it is said to be.');
    throw error;
  } finally {
    request.unpipe();
    request.resume();
  }
}

function decode(request: Readable, encoding: string | undefined): Readable {
  if (encoding === undefined || encoding === 'identity') return request;
  if (!/^(x-)?gzip$/i.test(encoding)) {
    throw new RefusalError('unsupported_media_type', {
      detail: 'This content encoding is not taken.',
      hint: 'Send the request as it is, or encoded with gzip.',
    });
  }
  const gunzip = createGunzip();
  request.once('error', (error) => gunzip.destroy(error));
  return request.pipe(gunzip);
}

/** All octets of a request of git. */
export async function readOctets(request: RawRequest, octets_max: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of requestOctets(request, octets_max)) parts.push(part);
  return Buffer.concat(parts);
}

/** The lengths of the lines with which a push begins; a line of length 0 ends them. */
const length_digits = 4;

/**
 * The same octets, once it is sure that the branches which a push names take no more than
 * `commands_octets_max`: each may become a file.
 */
export async function* boundCommands(
  octets: AsyncIterable<Buffer>,
  commands_octets_max: number,
): AsyncGenerator<Buffer> {
  let seen = Buffer.alloc(0);
  let at = 0;
  let is_over = false;
  for await (const part of octets) {
    if (!is_over) {
      seen = Buffer.concat([seen, part]);
      while (!is_over && at + length_digits <= seen.length) {
        const length = Number.parseInt(seen.toString('latin1', at, at + length_digits), 16);
        // What is no length is for git to refuse.
        is_over = !(length >= length_digits);
        at += is_over ? 0 : length;
      }
      if (at > commands_octets_max) throw too_large(commands_octets_max);
      if (is_over) seen = Buffer.alloc(0);
    }
    yield part;
  }
}
