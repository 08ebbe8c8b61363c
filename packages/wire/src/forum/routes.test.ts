import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forum_routes, type Route } from '../index.ts';

/** Routes of which nothing is read yet. */
const is_missing = ({ summary }: Route) => summary === 'Not part of this house';

it('what a route takes is said in words for each of its fields', () => {
  const routes: readonly Route[] = Object.values(forum_routes).flat();
  const unsaid: string[] = [];
  for (const route of routes.filter((one) => !is_missing(one))) {
    const { method, path, params, query, body, body_instead } = route;
    for (const part of [params, query, body, body_instead?.body]) {
      for (const [name, field] of Object.entries(part?.properties ?? {})) {
        if (!('description' in field)) unsaid.push(`${method} ${path} ${name}`);
      }
    }
  }
  assert.deepEqual(unsaid, []);
});
