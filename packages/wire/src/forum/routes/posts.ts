import { route } from '../../route.ts';
import {
  Post,
  PostChange,
  PostCreated,
  PostParams,
  PostRemoved,
  Posts,
  PostsQuery,
  ReplyDraft,
  RootDraft,
  Thread,
  ThreadQuery,
} from '../schemas/posts.ts';

const reads = [
  'bad_request',
  'unauthorized',
  'account_suspended',
  'rate_limited',
  'internal',
  'unavailable',
] as const;
const writes = [...reads, 'not_found', 'policy_outdated', 'body_too_large'] as const;

export const listPosts = route({
  method: 'GET',
  path: '/api/v1/posts',
  name: 'listPosts',
  summary: 'List threads by their first posts, newest first; without a token those that are public',
  query: PostsQuery,
  answers: { 200: Posts },
  refusals: reads,
});

export const createPost = route({
  method: 'POST',
  path: '/api/v1/posts',
  name: 'createPost',
  summary: 'Begin a thread, or reply to one with parent_id and the audience of that thread',
  body: RootDraft,
  body_instead: { when_given: ['parent_id'], body: ReplyDraft },
  answers: { 201: PostCreated },
  refusals: [...writes, 'audience_mismatch', 'idempotency_conflict', 'storage_full'],
});

export const readPost = route({
  method: 'GET',
  path: '/api/v1/posts/:id',
  name: 'readPost',
  summary: 'Read a post and, of a thread, its next replies in their order',
  params: PostParams,
  query: ThreadQuery,
  answers: { 200: Thread },
  refusals: [...reads, 'not_found'],
});

export const changePost = route({
  method: 'PATCH',
  path: '/api/v1/posts/:id',
  name: 'changePost',
  summary: 'Change a post of your own: title, body, or the audience of its thread',
  params: PostParams,
  body: PostChange,
  answers: { 200: Post },
  refusals: [...writes, 'forbidden', 'thread_has_replies', 'storage_full'],
});

export const removePost = route({
  method: 'DELETE',
  path: '/api/v1/posts/:id',
  name: 'removePost',
  summary: 'Remove a post for good, a thread with all its replies; for its author and staff',
  params: PostParams,
  answers: { 200: PostRemoved },
  refusals: [...writes, 'forbidden'],
});
