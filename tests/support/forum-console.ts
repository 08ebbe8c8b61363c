import assert from 'node:assert/strict';
import { type ForumReply, forumOf } from './forum-api.ts';
import type { TestHouse } from './open-house.ts';

/** The console of the owner as a browser on this machine sees it, signed in. */
export type Console = {
  readonly cookie: string;
  readonly csrf: string;
  /** Opens a page of the console, such as `/audit`. */
  open(path?: string): Promise<ForumReply>;
  /** Sends a form with the session's own word, unless `fields` has another. */
  send(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ForumReply>;
};

let addresses = 0;

/** Headers of a request by which it comes from this machine, each from another of its addresses. */
export function fromHere(): Readonly<Record<string, string>> {
  addresses += 1;
  return {
    'x-forwarded-for': `127.${(addresses >> 16) & 0xff}.${(addresses >> 8) & 0xff}.${addresses & 0xff}`,
  };
}

/** Sends a form to a path under `/forum`, as a browser on this machine that opened it from there. */
export function sendForm(
  house: TestHouse,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ForumReply> {
  return forumOf(house).fetch('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: 'null',
      ...fromHere(),
      ...headers,
    },
  });
}

/** A link for signing in, as practice mode gives it: the secret in it. */
export async function ownerLink(house: TestHouse): Promise<string> {
  const answer = await house.fetch('/practice/forum/owner-link', { method: 'POST' });
  assert.equal(answer.status, 200);
  const { url } = (await answer.json()) as { url: string };
  const { pathname, searchParams } = new URL(url);
  assert.equal(pathname, '/forum/owner/enter');
  return searchParams.get('link') ?? assert.fail(url);
}

/** The cookie that an answer sets, as it is sent back. */
export function cookieOf({ headers }: ForumReply): string {
  return headers.get('set-cookie')?.split(';')[0] ?? assert.fail('no cookie');
}

/** Signs the owner in. */
export async function openConsole(house: TestHouse): Promise<Console> {
  const entered = await sendForm(house, '/owner/enter', { link: await ownerLink(house) });
  assert.equal(entered.status, 303, entered.text);
  assert.equal(entered.headers.get('location'), '/forum/owner');
  const cookie = cookieOf(entered);
  const open = (path = '') =>
    forumOf(house).fetch('GET', `/owner${path}`, { headers: { cookie, ...fromHere() } });
  const first = await open();
  assert.equal(first.status, 200, first.text);
  const csrf = /name="csrf" value="([^"]+)"/.exec(first.text)?.[1] ?? assert.fail('no csrf');
  return {
    cookie,
    csrf,
    open,
    send: (path, fields = {}, headers = {}) =>
      sendForm(house, `/owner${path}`, { csrf, ...fields }, { cookie, ...headers }),
  };
}

/** A new token of the owner, issued in the console. */
export async function ownerToken(console: Console): Promise<string> {
  const issued = await console.send('/token');
  assert.equal(issued.status, 200, issued.text);
  return (
    /<code id="token">(ft_[\w-]{43})<\/code>/.exec(issued.text)?.[1] ?? assert.fail('no token')
  );
}
