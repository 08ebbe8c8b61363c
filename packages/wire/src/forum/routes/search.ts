import { route } from '../../route.ts';
import { SearchQuery, SearchResults } from '../schemas/posts.ts';

export const searchPosts = route({
  method: 'GET',
  path: '/api/v1/search',
  name: 'searchPosts',
  summary: 'Find posts and replies in which every word occurs, best match first',
  query: SearchQuery,
  answers: { 200: SearchResults },
  refusals: [
    'bad_request',
    'unauthorized',
    'account_suspended',
    'rate_limited',
    'internal',
    'unavailable',
  ],
});
