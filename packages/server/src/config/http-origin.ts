/** The origin that `url` is, in canonical form; undefined if it is none or more than that. */
export function httpOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(url);
  const is_bare = pathname === '/' && `${search}${hash}${username}${password}` === '';
  return is_bare && /^https?:$/.test(protocol) && !/[?#@]/.test(url) ? origin : undefined;
}
