/**
 * A path of this host under the room's base, to go on to after signing in: what a browser would read as
 * another host, or not as a path at all, becomes `/` (NET-037).
 */
export function safePath(next: string | undefined): string {
  if (next === undefined || !next.startsWith('/')) return '/';
  // Browsers take `\` for `/`, and pass over tabs and line feeds.
  if (/^\/[/\\]/.test(next) || /[^\u0021-\u007e]/.test(next)) return '/';
  const { origin, pathname, search, hash } = new URL(next, 'http://here.invalid');
  // A path with dots may still begin with two slashes once they are taken out.
  if (origin !== 'http://here.invalid' || pathname.startsWith('//')) return '/';
  return pathname + search + hash;
}
