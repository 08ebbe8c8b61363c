import { forum_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { readerEndpoint } from '../forum-endpoint.ts';
import { searchPosts } from './search-posts.ts';

export function searchEndpoints(forum: Forum): Endpoint[] {
  return [readerEndpoint(forum, forum_routes.searchPosts, searchPosts)];
}
