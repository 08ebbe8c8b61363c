import type { Refusals } from '@stoa/wire';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { RefusalError } from '../refusal.ts';
import type { Faults, OpenRoom, Room } from '../room.ts';
import type { Html } from './html.ts';
import { LargeHeadFault, MalformedFault, MediaTypeFault } from './http-faults.ts';
import { compileAnswerCheck, type FieldFault, InputFault } from './input.ts';
import { methodsAt } from './methods-at.ts';
import { faultPage, type ShownFault, wordFault } from './page.ts';
import { wasForm } from './read-bodies.ts';
import { basePath } from './read-call.ts';
import { roomFinder } from './room-at.ts';

/** Which of the room's codes a fault of a request has. */
function codeOf(
  fault: InputFault,
  { invalid, malformed = invalid, wrong_media_type = invalid, head_too_large }: Faults,
): string {
  if (fault instanceof LargeHeadFault) return head_too_large;
  if (fault instanceof MediaTypeFault) return wrong_media_type;
  return fault instanceof MalformedFault ? malformed : invalid;
}

/** Which of the room's refusals an error is. */
function refusalOf(room: Room, error: unknown, request_id: string): RefusalError {
  if (error instanceof RefusalError) return error;
  const { faults } = room;
  if (error instanceof InputFault) {
    const { message: detail, fields, hint } = error;
    return new RefusalError(codeOf(error, faults), {
      detail,
      ...(hint === undefined ? {} : { hint }),
      ...(fields.length > 0 ? { more: { fields } } : {}),
    });
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const detail = `body is too large; send at most ${room.bodies.body_bytes_max} bytes`;
    return new RefusalError(faults.too_large, { detail });
  }
  if (code === 'ECONNRESET' && (error as Error).message === 'aborted') {
    return new RefusalError(faults.invalid, { detail: 'body broke off; send the whole of it' });
  }
  if (code?.startsWith('FST_ERR_') && statusCode && statusCode < 500) {
    return new RefusalError(faults.invalid, { detail: 'body could not be read; send JSON' });
  }
  // Told by its name, for the host knows nothing of the storage.
  if (faults.unavailable !== undefined && (error as Error).name === 'StorageUnavailableError') {
    return new RefusalError(faults.unavailable, { retry_after_ms: away_retry_ms });
  }
  return new RefusalError(faults.internal, {
    detail: `Something failed on our side: request ${request_id}.`,
  });
}

/** When to ask again while the database does not answer. */
const away_retry_ms = 2_000;

/** The refusal that an error becomes; what is our fault is logged. */
export function readFault(
  deps: Deps,
  room: Room,
  error: unknown,
  request: FastifyRequest,
): RefusalError {
  const refusal = refusalOf(room, error, request.id);
  const { internal, unavailable } = room.faults;
  if (refusal.code === internal || (refusal !== error && refusal.code === unavailable)) {
    deps.logger.error({ request_id: request.id, err: error }, 'a request failed');
  }
  return refusal;
}

/** Status, message and hint of a refusal, from the room's table where it has none of its own. */
function wordsOf(room: Room, { code, options }: RefusalError) {
  const refusals: Refusals = room.refusals;
  const said = refusals[code];
  if (!said) throw new Error(`${room.name} has no refusal called ${code}`);
  const { detail, hint = said.hint, heading = said.heading } = options;
  return {
    code: said.code ?? code,
    status: said.status,
    message: detail ?? said.message,
    hint,
    heading,
    has_detail: !!detail,
  };
}

function headersOf(refusal: RefusalError): Record<string, string> {
  const { retry_after_s, options } = refusal;
  return {
    ...options.headers,
    ...(retry_after_s === undefined ? {} : { 'retry-after': String(retry_after_s) }),
  };
}

/** How long to wait, for people. */
function waitWords(seconds: number): string {
  const [count, unit] =
    seconds < 100
      ? [seconds, 'second']
      : seconds < 6_000
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** What a person is to do; the hints of the table are for programs where there is something better to say. */
function hintForPeople(
  { options, retry_after_s }: RefusalError,
  { status, hint, has_detail }: ReturnType<typeof wordsOf>,
): string | undefined {
  if (options.hint !== undefined) return hint;
  if (retry_after_s !== undefined) return `Try again in ${waitWords(retry_after_s)}.`;
  if (has_detail) return undefined;
  return status === 404 ? 'The address may be mistyped, or what stood here is gone.' : hint;
}

/** Answers a refusal to a person; `showForm` shows again the form that is refused. */
export async function sendFaultPage(
  deps: Deps,
  room: Room,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: RefusalError,
  showForm?: (fault: ShownFault) => Promise<Html>,
): Promise<FastifyReply> {
  await reply.givePageHeaders();
  const words = wordsOf(room, refusal);
  const { status, message, heading } = words;
  // @NOTE Readers of input list wrong fields in this form.
  const fields = (refusal.options.more?.fields ?? []) as readonly Partial<FieldFault>[];
  const fault = wordFault({
    status,
    message,
    heading,
    fields: fields.flatMap(({ field }) => field ?? []),
    // Rooms write paths under their own base into their hints.
    hint: hintForPeople(refusal, words)?.replaceAll('{base}', basePath(room, request)),
    is_form: wasForm(request),
  });
  const { markup } = showForm
    ? await showForm(fault)
    : faultPage(fault, {
        request_id: request.id,
        home: deps.urls.origin(),
        room: { name: room.name, base: deps.urls.room(room.name, room.mount) },
      });
  return reply
    .code(status)
    .headers(headersOf(refusal))
    .type('text/html; charset=utf-8')
    .send(markup);
}

/** Whether a person looks at the answer: browsers ask for HTML by name, programs seldom do. */
export const wantsPage = (request: FastifyRequest): boolean =>
  (request.headers.accept ?? '').includes('text/html');

/** Whether a path that is not there is shown as a page. */
function wantsUnknownPage(request: FastifyRequest): boolean {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && wantsPage(request);
}

/** Sends refusals to programs, in the room's own envelope. */
function refusalSender(deps: Deps, room: Room) {
  const check = deps.checks_answers
    ? compileAnswerCheck(room.envelope_schema, `a refusal of ${room.name}`)
    : undefined;
  return (request: FastifyRequest, reply: FastifyReply, refusal: RefusalError): FastifyReply => {
    const { status, heading: _, ...words } = wordsOf(room, refusal);
    const { retry_after_s, options } = refusal;
    const base_path = basePath(room, request);
    const { more = {} } = options;
    const body = room.envelope({ ...words, retry_after_s, base_path, more });
    check?.(body);
    // The room's own may be missing, where a request is refused before the room sees it.
    reply.headers({ ...room.headers, ...headersOf(refusal) });
    return reply.code(status).send(body);
  };
}

/** Of a body that is too large, so much is taken and thrown away. */
const rest_bytes_max = 16_777_216;

/**
 * Lets the connection live after a body that is too large, within bounds: if it were cut, a client that
 * is still sending would see a broken pipe in place of the answer.
 */
function takeRest(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if ((error as { code?: string }).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return;
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (length <= rest_bytes_max) reply.removeHeader('connection');
}

/** Answers what is thrown in a scope in the words of its room. */
export function answerErrors(scope: FastifyInstance, deps: Deps, room: Room): void {
  const send = refusalSender(deps, room);
  scope.setErrorHandler((error, request, reply) => {
    takeRest(error, request, reply);
    if (error instanceof LargeHeadFault) reply.header('connection', 'close');
    const refusal = readFault(deps, room, error, request);
    // Who has filled in a form reads what is wrong with it.
    return wasForm(request) && wantsPage(request)
      ? sendFaultPage(deps, room, request, reply, refusal)
      : send(request, reply, refusal);
  });
}

/**
 * Answers a path that cannot be decoded, or has a part so long that nothing is called so, in the words of
 * the room under whose mount it stands.
 */
export function badPathAnswer(deps: Deps, rooms: readonly Room[]) {
  const senders = new Map(rooms.map((room) => [room, refusalSender(deps, room)]));
  const roomAt = roomFinder(rooms);
  return (code: string, request: FastifyRequest, reply: FastifyReply): void => {
    const room = roomAt(request.url);
    const { invalid, not_found, bad_path } = room.faults;
    const detail = 'path is not a valid URL; encode it as UTF-8 in percent signs';
    const refusal =
      code === 'FST_ERR_BAD_URL' && bad_path === undefined
        ? new RefusalError(invalid, { detail })
        : new RefusalError(bad_path ?? not_found);
    senders.get(room)?.(request, reply, refusal);
  };
}

/** Answers unknown paths and wrong methods under a room's mount in its words. */
export function answerUnknown(
  scope: FastifyInstance,
  deps: Deps,
  room: Room,
  open: OpenRoom,
): void {
  const send = refusalSender(deps, room);
  const takes = methodsAt(open);
  const { not_found, wrong_method } = room.faults;
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.slice(room.mount.length).split('?', 1)[0] ?? '';
    const methods = takes(path);
    if (methods.length > 0) {
      if (wrong_method !== not_found) reply.header('allow', methods.join(', '));
      return send(request, reply, new RefusalError(wrong_method));
    }
    const refusal = new RefusalError(not_found);
    // A room without pages has none for faults either, and what is asked of an API is for programs.
    if (open.pages.length === 0 || path.startsWith('/api/')) return send(request, reply, refusal);
    reply.header('vary', 'accept');
    return wantsUnknownPage(request)
      ? sendFaultPage(deps, room, request, reply, refusal)
      : send(request, reply, refusal);
  };
  scope.setNotFoundHandler(answer);
  // Answered before the body is read: what the body is like does not matter to an unknown path.
  scope.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    Promise.resolve(answer(request, reply)).catch(done);
  });
}
