import assert from 'node:assert/strict';
import {
  type Answer,
  assertAnswered,
  assertNothingLeaks,
  readAnswer,
} from '../../support/answers.ts';
import type { TestHouse } from '../../support/open-house.ts';

/** The room's base path on the main origin. */
export const karma_base = '/karma';

/** A registry that takes everybody's word for who they are: each post may come from an address of its own. */
export const behind_proxy = { trust_proxy: 1 };

export type ReviewBody = {
  readonly reviewer_id: string;
  readonly subject_id: string;
  readonly rating: number;
  readonly outcome: string;
  readonly [member: string]: unknown;
};

type Headers = Readonly<Record<string, string>>;
/** What a POST may carry: an object goes as JSON, text and bytes as they are. */
type Sent = object | string | Uint8Array<ArrayBuffer>;

/** The registry of a house, as a client sees it. */
export type Registry = {
  get(path: string, headers?: Headers): Promise<Answer>;
  /** A request with another method. */
  send(method: string, path: string, body?: Sent, headers?: Headers): Promise<Answer>;
  /** `POST /reviews`. */
  post(body: Sent, headers?: Headers): Promise<Answer>;
  /** Posts a review and asserts that it was taken; answers its id. */
  review(reviewer_id: string, subject_id: string, rating?: number, more?: object): Promise<number>;
  /** Posts a history in its order; the clock goes on after every thirty. */
  load(reviews: readonly object[]): Promise<void>;
  /** The documented members of a known agent's reputation. */
  reputation(agent_id: string): Promise<Record<string, unknown>>;
};

const window_ms = 601_000;
const reviews_per_window = 30;

export function registryOf(house: TestHouse): Registry {
  let in_window = 0;
  const send = async (method: string, path: string, body?: Sent, headers: Headers = {}) => {
    const is_raw = typeof body === 'string' || body instanceof Uint8Array;
    const answer = await house.fetch(`${karma_base}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: is_raw ? body : JSON.stringify(body) }),
    });
    return readAnswer(answer);
  };
  const get = (path: string, headers: Headers = {}) => send('GET', path, undefined, headers);
  const post = (body: Sent, headers: Headers = {}) => send('POST', '/reviews', body, headers);
  const postNext = async (body: object) => {
    if (in_window === reviews_per_window) {
      house.clock.advance(window_ms);
      in_window = 0;
    }
    in_window += 1;
    const answer = await post(body);
    assert.equal(answer.status, 201, answer.text);
    return (answer.body as { review_id: number }).review_id;
  };
  return {
    get,
    send,
    post,
    review: (reviewer_id, subject_id, rating = 5, more = {}) =>
      postNext({ reviewer_id, subject_id, rating, outcome: 'succeeded', ...more }),
    async load(reviews) {
      for (const review of reviews) await postNext(review);
    },
    async reputation(agent_id) {
      const answer = await get(`/agents/${encodeURIComponent(agent_id)}/reputation`);
      assert.equal(answer.status, 200, answer.text);
      return documented(answer.body);
    },
  };
}

/** A review of `b` by `a` with the four fields that every review has, and what differs from it. */
export const reviewBody = (more: object = {}): ReviewBody => ({
  reviewer_id: 'a',
  subject_id: 'b',
  rating: 3,
  outcome: 'partial',
  ...more,
});

const signal_names = [
  'distinct_reviewers',
  'reciprocal_share',
  'top_reviewer_share',
  'recent_score',
  'with_receipts',
  'seeded_trust',
];

/** An answer's members less `signals`, which stand beside the document's, and of which the form is asserted. */
export function documented(body: unknown): Record<string, unknown> {
  const { signals, ...rest } = body as { signals: object; [member: string]: unknown };
  assert.deepEqual(Object.keys(signals), signal_names);
  return rest;
}

/** The header by which the proxy in front says that a request came from the `index`-th address. */
export const fromAddress = (index: number): Headers => ({
  'x-forwarded-for': `198.51.${100 + (index >> 8)}.${index & 255}`,
});

export const not_found = { error: 'Not Found', see: '/skill.md' };
export const unknownAgent = (agent_id: string) => ({
  error: `unknown agent: ${agent_id}`,
  see: '/skill.md',
});

/** Asserts a 422 that lists exactly these places; answers the messages. */
export function assertInvalid(answer: Answer, locs: readonly (readonly string[])[], what?: string) {
  const { detail } = (answer.body ?? {}) as { detail?: { loc: string[]; msg: string }[] };
  assert.ok(Array.isArray(detail), `${what}: ${answer.status} ${answer.text}`);
  assert.deepEqual(
    detail.map(({ loc }) => loc),
    locs,
    what,
  );
  for (const fault of detail) {
    assert.deepEqual(Object.keys(fault).sort(), ['loc', 'msg', 'type'], what);
    assert.ok(
      Object.values(fault)
        .flat()
        .every((word) => typeof word === 'string' && word !== ''),
    );
  }
  assertAnswered(answer, 422, { detail }, what);
  assertNothingLeaks(answer.text);
  return detail;
}

/** Asserts a refusal of any status whose `detail` is this sentence. */
export function assertDetail(answer: Answer, status: number, detail: string | RegExp): void {
  const said = (answer.body as { detail?: unknown } | undefined)?.detail;
  assert.ok(typeof said === 'string', answer.text);
  if (typeof detail === 'string') assert.equal(said, detail);
  else assert.match(said, detail);
  assertAnswered(answer, status, { detail: said });
  assertNothingLeaks(answer.text);
}
