import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was sent from a page that is not of the site which it is sent to, as far as a browser says so;
 * programs that send neither header are no browsers. A page that tells nobody where it is has the origin `null`:
 * then the browser must say itself that it was this site.
 */
export function isForeignForm({
  host = '',
  origin,
  'sec-fetch-site': site,
}: IncomingHttpHeaders): boolean {
  // What a person has opened without any page counts as ours.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined || (origin === 'null' && site !== undefined)) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase();
}
