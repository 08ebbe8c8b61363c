import type { OpenRoom } from '../room.ts';

/** Turns a route's path into an expression for the paths it answers. */
function pathExpression(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}

/** For a path under the room's mount, the methods that the room takes there. */
export function methodsAt(open: OpenRoom): (path: string) => string[] {
  const routes = [
    ...open.endpoints.map(({ route }) => route),
    ...(open.raw ?? []),
    ...[
      ...open.pages,
      ...open.documents,
      { path: '/openapi.json' },
      ...(open.has_openapi_yaml ? [{ path: '/openapi.yaml' }] : []),
      ...(open.has_docs ? [{ path: '/docs' }] : []),
    ].map(({ path }) => ({
      method: 'GET',
      path,
    })),
  ].map(({ method, path }) => ({ method, matches: pathExpression(path) }));
  return (path) => {
    const methods = new Set<string>();
    for (const { method, matches } of routes) {
      if (!matches.test(path)) continue;
      methods.add(method);
      if (method === 'GET') methods.add('HEAD');
    }
    return [...methods].sort();
  };
}
