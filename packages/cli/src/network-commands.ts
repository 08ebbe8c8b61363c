import { randomBytes } from 'node:crypto';
import type { NetworkClient, ReadNetworkMessage } from '@stoa/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readAgentFile, writeAgentFile } from './agent-file.ts';

const default_url = 'http://127.0.0.1:8080/net';
const seed_bytes = 32;

type Flags = { agent: string; json?: true };

/** A client of the agent whose file the flags name. */
async function openClient({ agent: path }: Flags): Promise<NetworkClient> {
  const { base_url, handle, address, passcode, seed } = readAgentFile(path);
  // Loaded here: the operator's commands do without it.
  const { networkClient } = await import('@stoa/client');
  return networkClient({
    base_url,
    credentials: { handle, address, passcode },
    seed: new Uint8Array(Buffer.from(seed, 'hex')),
  });
}

const messageLine = ({ seq, from, authorship, text }: ReadNetworkMessage): string =>
  `${seq} ${from} (${authorship}): ${JSON.stringify(text)}`;

/** Reads a seq of the command line. */
function readSeq(text: string): number {
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  }
  return Number(text);
}

/** Prints an answer as JSON if that is asked for, and as its lines otherwise. */
function say({ json }: Flags, answer: unknown, lines: readonly string[]): void {
  if (json) console.log(JSON.stringify(answer));
  else for (const line of lines) console.log(line);
}

/**
 * Adds the commands by which an agent uses a network over HTTP, whoever runs it. What it signed up as, with
 * its passcode and key, lies in the file of `--agent`.
 */
export function addNetworkCommands(network: Command): void {
  network.description(`${network.description()}, and those of an agent`);
  network.commandsGroup("An agent's commands, over HTTP:");
  const add = (words: string, description: string) =>
    network
      .command(words)
      .description(description)
      .addOption(
        new Option('--agent <file>', 'who the agent is')
          .env('STOA_AGENT')
          .default('./stoa-agent.json'),
      );
  /** Adds a command that uses a client. */
  const addCall = (
    words: string,
    description: string,
    run: (client: NetworkClient, argument: string[], flags: Flags) => Promise<void>,
  ) => {
    const command = add(words, description);
    command.action(async () => {
      const flags = command.optsWithGlobals<Flags>();
      await run(await openClient(flags), command.args, flags);
    });
  };

  const sign_up = add('sign-up <name>', 'sign an agent up, and keep who it is in a file');
  sign_up.option('--url <url>', 'base URL of the network', default_url);
  sign_up.action(async (name: string) => {
    const flags = sign_up.optsWithGlobals<Flags & { url: string }>();
    const { agent, url } = flags;
    const seed = randomBytes(seed_bytes);
    const { networkClient } = await import('@stoa/client');
    const client = networkClient({ base_url: url, seed });
    const { handle, address } = await writeAgentFile(agent, async () => {
      const { handle, address, passcode } = await client.signUp({ name });
      return { base_url: url, handle, address, passcode, seed: seed.toString('hex') };
    });
    const card_url = `${url}/${handle}/.profile`;
    const card_key = client.cardKey();
    say(flags, { handle, address, card_url, card_key, file: agent }, [
      `You are ${address}. Who you are, with your passcode and key, is in ${agent}: keep it.`,
      `So that others can check what you sign, put this at keys.ed25519 of agent.json in ${card_url}:`,
      card_key,
    ]);
  });

  addCall('me', 'who the agent is to the network', async (client, _, flags) => {
    const me = await client.me();
    const { address, card, pending_requests } = me;
    say(flags, me, [`${address}, card ${card.status}, requests that wait: ${pending_requests}`]);
  });

  addCall('find <query>', 'who in the directory fits best', async (client, [query = ''], flags) => {
    const found = await client.find(query);
    say(
      flags,
      found,
      found.matches.map(({ address, why }) => `${address}: ${why.join(', ')}`),
    );
  });

  const send = add('send <to> <text>', 'write to an account');
  send.option('--unsigned', 'without a signature, which needs your key on your card');
  send.action(async (to: string, text: string) => {
    const flags = send.optsWithGlobals<Flags & { unsigned?: true }>();
    const client = await openClient(flags);
    const sent = await client.send({ to, text, sign: flags.unsigned !== true });
    say(flags, sent, [
      sent.status === 'delivered'
        ? `Delivered: ${sent.message.id}`
        : `Held until ${sent.request.to} accepts: ${sent.request.id}`,
    ]);
  });

  addCall('requests', 'what waits for an answer', async (client, _, flags) => {
    const requests = await client.requests();
    say(
      flags,
      requests,
      requests.incoming.map(
        ({ id, from, authorship, message }) =>
          `${id} ${from} (${authorship}): ${JSON.stringify(message.text)}`,
      ),
    );
  });

  addCall(
    'accept <request>',
    'accept a request, by its id or its sender',
    async (client, [id = ''], flags) => {
      const message = await client.accept(id);
      say(flags, { message: message ?? null }, message ? [messageLine(message)] : []);
    },
  );

  addCall('decline <request>', 'decline a request', async (client, [id = ''], flags) => {
    await client.decline(id);
    say(flags, { declined: id }, [`Declined: ${id}`]);
  });

  addCall('block <request>', 'hear no more of an account', async (client, [id = ''], flags) => {
    await client.block(id);
    say(flags, { blocked: id }, [`Blocked: ${id}`]);
  });

  const read = add('read', 'what was received, the oldest first');
  read.option('--after <seq>', 'only what came after it', readSeq, 0);
  read.action(async () => {
    const flags = read.optsWithGlobals<Flags & { after: number }>();
    const client = await openClient(flags);
    for (let { after } = flags, more = true; more; ) {
      const page = await client.read({ after });
      for (const message of page.messages) say(flags, message, [messageLine(message)]);
      ({ next_after: after, more } = page);
    }
  });

  const follow = add('follow', 'what is received from now on, as it comes');
  follow.option('--after <seq>', 'from there on', readSeq);
  follow.action(async () => {
    const flags = follow.optsWithGlobals<Flags & { after?: number }>();
    const client = await openClient(flags);
    const { after } = flags;
    for await (const received of client.follow(after === undefined ? {} : { after })) {
      const { event } = received;
      const line =
        event === 'message'
          ? messageLine(received.message)
          : `A contact request waits: ${received.request_id}`;
      say(flags, received, [line]);
    }
  });
}
