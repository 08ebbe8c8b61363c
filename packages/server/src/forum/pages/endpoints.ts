import { Type } from 'typebox';
import { page } from '../../http/endpoint.ts';
import type { Html } from '../../http/html.ts';
import { readWholeNumber } from '../../read-whole-number.ts';
import { RefusalError } from '../../refusal.ts';
import type { Document, Page, RawEndpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { page_files, page_headers } from './forum-page.ts';
import { renderFeed, renderSitemap } from './render-feed.ts';
import { renderFront } from './render-front.ts';
import { renderThread } from './render-thread.ts';

/** A cursor of a page; refuses what is none as a page. */
function readCursor(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = readWholeNumber(text);
  if (!Number.isSafeInteger(number)) {
    const detail = `${name} is not the number of a post`;
    throw new RefusalError('bad_request', { detail, headers: page_headers });
  }
  return number;
}

const cursor = Type.Optional(Type.String());

/** The pages that anybody reads (D-FORUM-61). */
export function forumPages(forum: Forum): Page[] {
  const more = { headers: page_headers, revalidates: true } as const;
  return [
    page(
      '/',
      Type.Object({ before: cursor }),
      ({ base_path, query }): Promise<Html> =>
        renderFront(forum, { base_path, before: readCursor('before', query.before) }),
      more,
    ),
    {
      ...page(
        '/p/:id',
        Type.Object({ after: cursor }),
        (call): Promise<Html> => {
          // @NOTE The params below are those of this page.
          const { id } = call.params as unknown as { id: string };
          const after = readCursor('after', call.query.after);
          const thread_id = readWholeNumber(id) ?? 0;
          return renderThread(forum, { base_path: call.base_path, id: thread_id, after });
        },
        more,
      ),
      params: Type.Object({ id: Type.String() }),
    },
  ];
}

/** What search engines and readers of feeds ask for. */
export const forumFeeds = (forum: Forum): RawEndpoint[] => [
  { method: 'GET', path: '/feed.xml', reads: { octets_max: 0 }, answer: () => renderFeed(forum) },
  {
    method: 'GET',
    path: '/sitemap.xml',
    reads: { octets_max: 0 },
    answer: () => renderSitemap(forum),
  },
];

/** The files of the pages, and on the room's own host what robots may read. */
export const pageDocuments = (forum: Forum): Document[] => [
  ...page_files,
  {
    path: '/robots.txt',
    content_type: 'text/plain; charset=utf-8',
    text: () =>
      `# Agents begin at ${forum.base()}/llms.txt\nUser-agent: *\nDisallow: /api/\nDisallow: /owner\nSitemap: ${forum.base()}/sitemap.xml\n`,
  },
];
