import { forum_routes } from '@stoa/wire';
import { endpoint } from '../../http/endpoint.ts';
import type { Document, Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { forumManual } from './manual.ts';
import { readAgentJson } from './read-agent-json.ts';

export function discoveryEndpoints(forum: Forum): Endpoint[] {
  return [endpoint(forum_routes.readAgentJson, () => readAgentJson(forum))];
}

export function discoveryDocuments(forum: Forum): Document[] {
  return [
    {
      path: '/llms.txt',
      content_type: 'text/plain; charset=utf-8',
      text: () => forumManual(forum.base()),
    },
  ];
}
