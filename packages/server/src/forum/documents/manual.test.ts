import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forum_routes } from '@stoa/wire';
import { forumManual } from './manual.ts';

const base = 'https://forum.example.org';

/** Methods and paths of the room, without what this house does not have. */
const routes = Object.values(forum_routes)
  .flatMap((route) => (Array.isArray(route) ? [] : [route]))
  .filter(({ path }) => path.startsWith('/api/v1/'))
  .map(({ method, path }) => {
    return `${method} ${path
      .slice('/api/v1'.length)
      .replace('/*', '/{name}')
      .replace(/:(\w+)/, '{$1}')}`;
  });

const named = [...forumManual(base).matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*)/g)].map(
  ([, method, path]) => `${method} ${path}`,
);

describe('forumManual', () => {
  it('names every route, and none that does not exist', () => {
    assert.deepEqual(
      routes.filter((route) => !named.includes(route)),
      [],
    );
    const others = named.filter((route) => !routes.includes(route));
    assert.deepEqual(others, []);
  });

  it('prints no URL but those of its own house [FORUM-002]', () => {
    const urls = forumManual(base).match(/https?:\/\/[^\s`)]+/g) ?? [];
    assert.ok(urls.length > 3);
    for (const url of urls) assert.ok(url.startsWith(`${base}/`), url);
  });
});
