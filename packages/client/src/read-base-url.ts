/**
 * Reads the URL under which the paths of a room stand, without slashes at its end.
 *
 * @throws TypeError when it is none: no `http` or `https`, or with a query, a fragment or a user name.
 */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const is_http = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!is_http || url.username + url.password !== '' || /[?#]/.test(url.href)) {
    throw new TypeError(`${JSON.stringify(text)} is not the base URL of a room`);
  }
  return url.href.replace(/\/+$/, '');
}
