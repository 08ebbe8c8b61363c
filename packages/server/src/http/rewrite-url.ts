import type { IncomingMessage } from 'node:http';
import type { Room } from '../room.ts';

const run_of_octets = /(?:%[0-9a-f]{2})+/gi;
const stray_percent = /%(?![0-9a-f]{2})/gi;
/** A URL may name its server (RFC 9112, section 3.2.2), and goes before the `Host` header then. */
const absolute_form = /^https?:\/\/([^/?#]*)/i;
const port = /:[0-9]*$/;
const replacement = '\ufffd';
const encoded_replacement = /%ef%bf%bd/i;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a URL decodable: octets that are no UTF-8 become `instead`, a percent sign that encodes nothing
 * becomes one that stands for itself.
 */
export function repairUrl(url: string, instead: string): string {
  return url.replace(stray_percent, '%25').replace(run_of_octets, (run) => {
    if (isDecodable(run)) return run;
    // What the decoder puts in place of octets is told from the same character where a client sent it.
    return run
      .split(encoded_replacement)
      .map((part) => utf8.decode(Buffer.from(part.replaceAll('%', ''), 'hex')))
      .map((text) => encodeURIComponent(text.replaceAll(replacement, instead)))
      .join(encodeURIComponent(replacement));
  });
}

/**
 * Maps requests for a room's own host to its mount, and makes URLs decodable for rooms that want it; assets
 * stand at the same path on every host.
 */
export function urlRewriter(
  hosts: ReadonlyMap<string, string>,
  roomAt: (url: string) => Pick<Room, 'undecodable_as'>,
): (request: IncomingMessage) => string {
  return (request) => {
    const sent = request.url ?? '/';
    let [url, host] = [sent, request.headers.host ?? ''];
    const absolute = sent.startsWith('/') ? null : absolute_form.exec(sent);
    if (absolute) {
      url = sent.slice(absolute[0].length);
      if (!url.startsWith('/')) url = `/${url}`;
      host = absolute[1] ?? '';
    }
    const mount = url.startsWith('/assets/')
      ? ''
      : (hosts.get(host.toLowerCase().replace(port, '')) ?? '');
    if (url.includes('%') && !isDecodable(url)) {
      const { undecodable_as } = roomAt(mount + url);
      if (undecodable_as !== undefined) url = repairUrl(url, undecodable_as);
    }
    if (url !== sent) {
      // @NOTE By what Fastify keeps as the original, rooms tell whether a host was mapped to their mount.
      (request as IncomingMessage & { originalUrl?: string }).originalUrl = url;
    }
    return mount + url;
  };
}
