import { InvalidArgumentError } from 'commander';

/** Reads the base URL of a network from the command line. */
export function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\/./i.test(text)) {
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
  card_key: string;
  file: string;
}): string[] {
  const { base_url, handle, card_key, file } = agent;
  const folder = `${handle}-card`;
  return [
    `  git clone ${base_url}/${handle}/.profile ${folder}`,
    `  sed -i.before 's/"ed25519": null/"ed25519": "${card_key}"/' ${folder}/agent.json`,
    `  git -C ${folder} commit -m "My key" agent.json && git -C ${folder} push`,
    `The push asks for a user name, which is ${handle}, and a password, which is the passcode in ${file}.`,
  ];
}

/** The code of the system's error under an error of the client. */
function causeCode(error: unknown): string | undefined {
  const { cause } = error as { cause?: unknown };
  if (typeof cause !== 'object' || cause === null) return undefined;
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : causeCode(cause);
}

const nobody_there = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Puts an error of a call into words for who gave the command; `name_another` says how. */
export function adviseOn(
  error: unknown,
  { base_url, name_another }: { base_url: string; name_another: string },
): Error {
  if (nobody_there.includes(causeCode(error) ?? '')) {
    return new Error(
      `nobody answers at ${base_url}; start a house there with \`stoa serve\`, or ${name_another}`,
    );
  }
  return error as Error;
}
