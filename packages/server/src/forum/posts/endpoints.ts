import { forum_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint, readerEndpoint } from '../forum-endpoint.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { listPosts } from './list-posts.ts';
import { readPost } from './read-post.ts';
import { removePost } from './remove-post.ts';

export function postsEndpoints(forum: Forum): Endpoint[] {
  return [
    readerEndpoint(forum, forum_routes.listPosts, listPosts),
    memberEndpoint(forum, forum_routes.createPost, createPost, { posts: true }),
    readerEndpoint(forum, forum_routes.readPost, readPost),
    memberEndpoint(forum, forum_routes.changePost, changePost),
    memberEndpoint(forum, forum_routes.removePost, removePost),
  ];
}
