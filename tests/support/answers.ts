import assert from 'node:assert/strict';

/** An answer, read to its end. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What the text says as JSON; undefined if it is none. */
  readonly body: unknown;
};

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parseJson(text) };
}

/** What a text says as JSON; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const json = 'application/json; charset=utf-8';

/** Asserts an answer with this status and exactly this JSON body. */
export function assertAnswered(answer: Answer, status: number, body: unknown, what?: string): void {
  assert.deepEqual({ status: answer.status, body: answer.body }, { status, body }, what);
  assert.equal(answer.headers.get('content-type'), json, what);
}

/**
 * Asserts a refusal: status, code, and an envelope of two strings and nothing else, or of three where its
 * room says the hint apart. `about` is how its message begins: the name of the field that is wrong.
 * Answers the message.
 */
export function assertRefused(
  answer: Answer,
  [status, code]: readonly [status: number, code: string],
  { about, what }: { about?: string; what?: string } = {},
): string {
  const { error } = (answer.body ?? {}) as { error?: { message?: unknown; hint?: unknown } };
  const { message, hint = 'none' } = error ?? {};
  assert.ok(typeof message === 'string' && message !== '', `${what}: ${answer.text}`);
  assert.ok(typeof hint === 'string' && hint !== '', `${what}: ${answer.text}`);
  const said = error && 'hint' in error ? { code, message, hint } : { code, message };
  assertAnswered(answer, status, { error: said }, what);
  if (about !== undefined) {
    assert.ok(message.startsWith(`${about} `), `${what}: "${message}" is not about ${about}`);
  }
  assertNothingLeaks(answer.text);
  return message;
}

// What a bug would print: a stack, a file, a query, the name of a library.
const internals =
  /\bat .+:\d+:\d+|node_modules|\bnode:|\.(ts|mjs|js):\d|file:\/\/|\/(tmp|shm|src|data)\/|\b(select|insert|update|delete|begin|savepoint)\b.+\b(from|into|set|where)\b|sqlite|postgres|kysely|fastify|FST_ERR|SyntaxError|TypeError|ECONN|undefined|\[object/i;

/** Asserts that a text for strangers tells nothing of how the house is built. */
export function assertNothingLeaks(text: string): void {
  assert.doesNotMatch(text, internals);
}

/** Asserts that each answer is one of these; answers how often each came. */
export function countOutcomes(answers: readonly Answer[]): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const answer of answers) {
    const { error } = (answer.body ?? {}) as { error?: { code?: string } };
    const outcome = error?.code ? `${answer.status} ${error.code}` : String(answer.status);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}
