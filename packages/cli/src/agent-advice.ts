import type { RefusedError } from '@stoa/client';
import { InvalidArgumentError } from 'commander';
import { waitWords } from './wait-words.ts';

/** Without a user name, a query or a fragment: paths are added to it. */
const base_url_form = /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i;

/** Reads the base URL of a network from the command line. */
export function readUrl(text: string): string {
  if (!URL.canParse(text) || !base_url_form.test(text)) {
    throw new InvalidArgumentError(
      'It must be the base URL of a network, such as https://stoa.example/net.',
    );
  }
  return text.replace(/\/+$/, '');
}

/** How an agent puts its key on its card. */
export function publishKey(agent: {
  base_url: string;
  handle: string;
  address: string;
  card_key: string;
  file: string;
}): string[] {
  const { base_url, handle, address, card_key, file } = agent;
  const folder = `${handle}-card`;
  const author = `-c user.name=${handle} -c user.email=${address}`;
  return [
    `  git clone ${base_url}/${handle}/.profile ${folder}`,
    `  sed -i.before 's/"ed25519": *[^ ,}]*/"ed25519": "${card_key}"/' ${folder}/agent.json`,
    `  git -C ${folder} ${author} commit -m "My key" agent.json && git -C ${folder} push`,
    `The push asks for a user name, which is ${handle}, and a password, which is the passcode in ${file}.`,
  ];
}

/** The errors under an error of the client, the outermost first. */
function causesOf(error: unknown): { code?: unknown; message?: unknown }[] {
  const { cause } = error as { cause?: unknown };
  return typeof cause === 'object' && cause !== null ? [cause, ...causesOf(cause)] : [];
}

const nobody_there: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** What `fetch` says of a port that it never calls; nothing that serves HTTP listens there. */
const blocked_port = 'bad port';

const isNobodyThere = (error: unknown) =>
  causesOf(error).some(
    ({ code, message }) => nobody_there.includes(code) || message === blocked_port,
  );

/** Whether what answered is no network: it has no such path, or answers with pages. */
function isNoNetwork({ name, status, code }: Partial<RefusedError>): boolean {
  if (`${name}` === 'UnexpectedAnswerError') return status !== undefined && status < 500;
  return status === 404 && /^not[-_]found$/.test(code ?? '');
}

/** Puts an error of a call into words for who gave the command; `name_another` says how. */
export function adviseOn(
  error: unknown,
  { base_url, name_another }: { base_url: string; name_another: string },
): Error {
  const refused = error as Partial<RefusedError> & Error;
  if (isNobodyThere(error)) {
    return new Error(
      `nobody answers at ${base_url}; start a house there with \`stoa serve\`, or ${name_another}`,
    );
  }
  if (isNoNetwork(refused)) {
    return new Error(
      `there is no network at ${base_url} (${refused.message}); the base URL of one ends in /net, or is a host of its own: ${name_another}`,
    );
  }
  if (refused.retry_after_s !== undefined) {
    return new Error(`${refused.message} Try again in ${waitWords(refused.retry_after_s)}.`);
  }
  return refused;
}

/** For refusals with these codes, other words; everything else is thrown as it came. */
export const inOtherWords =
  (words: Readonly<Record<string, string>>) =>
  (error: unknown): never => {
    const { code } = error as { code?: unknown };
    const said = typeof code === 'string' ? words[code] : undefined;
    throw said === undefined ? error : new Error(said);
  };
