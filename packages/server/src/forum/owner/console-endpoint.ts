import { forum_refusals } from '@stoa/wire';
import { readWholeNumber } from '../../read-whole-number.ts';
import { RefusalError } from '../../refusal.ts';
import type { RawAnswer, RawEndpoint, RawRequest } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { form_bytes_max } from '../limits.ts';
import { type Form, readForm, refuseForeign, refuseForged } from './console-form.ts';
import { isLocal } from './is-local.ts';
import type { Session } from './owner-store.ts';
import { console_headers, type Place } from './pages/console-page.ts';
import { renderEnter, renderRefused, renderSignedOut } from './pages/render-notices.ts';
import { openSession, readSession } from './session.ts';

/** The query of a page of the console. */
export type ConsoleQuery = {
  /** A text that is asked for; undefined if it is empty. */
  text(name: string): string | undefined;
  /** The id after or before which to go on. */
  cursor(name: string): number | undefined;
};

/** What a form of the console does, and where the browser goes then. */
export type ConsoleForm = (
  forum: Forum,
  sent: { request: RawRequest; form: Form; session: Session; place: Place },
) => Promise<RawAnswer>;

function readQuery({ query }: RawRequest): ConsoleQuery {
  return {
    text: (name) => query.get(name)?.trim() || undefined,
    cursor(name) {
      const given = query.get(name);
      if (given === null) return undefined;
      const number = readWholeNumber(given);
      if (Number.isSafeInteger(number)) return number;
      throw new RefusalError('bad_request', { detail: `${name} must be a whole number` });
    },
  };
}

/** Refuses who is not where the console answers, as if there were none. */
function refuseElsewhere(forum: Forum, request: RawRequest): void {
  const { console } = forum.settings;
  const is_near = console === 'anywhere' || isLocal(request, forum.config.trust_proxy);
  if (console === 'off' || !is_near) throw new RefusalError('not_found');
}

/** Says no by a page: what was refused, in the words of the room. */
function refusedPage(
  forum: Forum,
  request: RawRequest,
  error: RefusalError,
  csrf: string | undefined,
): RawAnswer {
  if (error.code === 'unauthorized') return renderSignedOut(forum, request.base_path);
  // @NOTE Every refusal of the room is in its table.
  const said = forum_refusals[error.code as keyof typeof forum_refusals];
  const { detail = said.message, hint, headers = {} } = error.options;
  const { base_path, request_id } = request;
  const own_hint = error.options.detail === undefined ? said.hint : '';
  const page = renderRefused(
    forum,
    { base_path, csrf },
    {
      status: said.status,
      message: detail,
      hint: (hint ?? own_hint).replaceAll('{base}', base_path),
      request_id,
    },
  );
  return { ...page, headers: { ...page.headers, ...headers } };
}

/** Answers a request to the console by a page, a refusal too. */
function answering(
  forum: Forum,
  answer: (request: RawRequest, sees: (csrf: string) => void) => Promise<RawAnswer>,
): RawEndpoint['answer'] {
  return async (request) => {
    let csrf: string | undefined;
    try {
      refuseElsewhere(forum, request);
      return await answer(request, (seen) => {
        csrf = seen;
      });
    } catch (error) {
      if (error instanceof RefusalError) return refusedPage(forum, request, error, csrf);
      throw error;
    }
  };
}

const get = { method: 'GET', reads: { octets_max: 0 }, is_page: true } as const;
const post = { method: 'POST', reads: { octets_max: form_bytes_max }, is_page: true } as const;

/** A page of the console, for who is signed in. */
export function consoleGet(
  forum: Forum,
  path: string,
  render: (place: Place, query: ConsoleQuery) => Promise<RawAnswer>,
): RawEndpoint {
  return {
    ...get,
    path: `/owner${path}`,
    answer: answering(forum, async (request, sees) => {
      const { csrf } = await readSession(forum, request);
      sees(csrf);
      return render({ base_path: request.base_path, csrf }, readQuery(request));
    }),
  };
}

/** A form of the console, from who is signed in and sees it there. */
export function consolePost(forum: Forum, path: string, send: ConsoleForm): RawEndpoint {
  return {
    ...post,
    path: `/owner${path}`,
    answer: answering(forum, async (request, sees) => {
      const session = await readSession(forum, request);
      refuseForeign(request);
      const form = readForm(request);
      refuseForged(form, session);
      sees(session.csrf);
      const place = { base_path: request.base_path, csrf: session.csrf };
      return send(forum, { request, form, session, place });
    }),
  };
}

/** Where the link for signing in leads: to a button, and to nothing else. */
export const enterPage = (forum: Forum): RawEndpoint => ({
  ...get,
  path: '/owner/enter',
  answer: answering(forum, async ({ base_path, query }) =>
    renderEnter(forum, base_path, query.get('link') ?? ''),
  ),
});

/** Signs the owner in. */
export const enterForm = (forum: Forum): RawEndpoint => ({
  ...post,
  path: '/owner/enter',
  answer: answering(forum, async (request) => {
    refuseForeign(request);
    const cookie = await openSession(forum, request, readForm(request).text('link'));
    return { ...seeOther(request, '/owner'), cookies: [cookie] };
  }),
});

/** Sends the browser to another page of the room. */
export const seeOther = ({ base_path }: { base_path: string }, path: string): RawAnswer => ({
  status: 303,
  headers: { ...console_headers, location: base_path + path },
});
