import { bar_endpoints, type bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { type Place, printedPath } from './place.ts';
import { bar_description, bar_name } from './words.ts';

/** The route list of `GET /api/v1` (D-BAR-74). */
export function indexDocument({ origin, base_path }: Place): Static<typeof bar_schemas.Index> {
  return {
    name: bar_name,
    description: bar_description,
    manual: `${origin}/llms-full.txt`,
    openapi: `${origin}/openapi.json`,
    door: `${origin}/api/v1/door`,
    routes: bar_endpoints.map(({ method, path, auth, quiz, summary }) => ({
      // @NOTE The bar has no route with PUT, the one method that its index does not know.
      method: method as Exclude<typeof method, 'PUT'>,
      path: base_path + printedPath(path),
      auth,
      quiz,
      purpose: summary,
    })),
  };
}
