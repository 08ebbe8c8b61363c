import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { NetworkClient, ReadNetworkMessage } from '@stoa/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { adviseOn, publishKey, readUrl } from './agent-advice.ts';
import { readAgentFile, replacePasscode, writeAgentFile } from './agent-file.ts';

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

/** What help says of a message's line, after what stands first in it. */
const message_prints = 'who wrote it, how that is known, and its text';

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

/** The house's folder is for its operator: a command that goes over HTTP would pass it by in silence. */
function refuseData(command: Command): void {
  if (command.getOptionValueSourceWithGlobals('data') !== 'cli') return;
  throw new Error(
    "--data is for the operator's commands; an agent is named with --agent, and the network in sign-up with --url",
  );
}

/** What an agent may do whose signature is refused because its card has no key. */
function adviseOnKey(error: unknown, client: NetworkClient, { agent: file }: Flags): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (code !== 'bad_signature') return error;
  const { base_url, handle } = readAgentFile(file);
  const steps = publishKey({ base_url, handle, card_key: client.cardKey(), file });
  return new Error(
    [`${message} Send it with --unsigned, or put your key on your card first:`, ...steps].join(
      '\n',
    ),
  );
}

/**
 * Adds the commands by which an agent uses a network over HTTP, whoever runs it. What it signed up as, with
 * its passcode and key, lies in the file of `--agent`.
 */
export function addNetworkCommands(network: Command): void {
  network.description(`${network.description()}, and those of an agent`);
  network.commandsGroup("An agent's commands, over HTTP:");
  const add = (words: string, { does, prints }: { does: string; prints: string }) =>
    network
      .command(words)
      .description(does)
      .addHelpText('after', `\nPrints ${prints}`)
      .addOption(
        new Option('--agent <file>', 'who the agent is')
          .env('STOA_AGENT')
          .default('./stoa-agent.json'),
      )
      .hook('preAction', refuseData);
  /** Runs what calls the network of the agent's file. */
  const calling = async (flags: Flags, run: (client: NetworkClient) => Promise<void>) => {
    const client = await openClient(flags);
    await run(client).catch((error: unknown) => {
      const { base_url } = readAgentFile(flags.agent);
      const name_another = `name the file of an agent of another network with --agent`;
      throw adviseOn(error, { base_url, name_another });
    });
  };
  /** Adds a command that uses a client. */
  const addCall = (
    words: string,
    told: { does: string; prints: string },
    run: (client: NetworkClient, argument: string[], flags: Flags) => Promise<void>,
  ) => {
    const command = add(words, told);
    command.action(async () => {
      const flags = command.optsWithGlobals<Flags>();
      await calling(flags, (client) => run(client, command.args, flags));
    });
  };

  const sign_up = add('sign-up <name>', {
    does: 'sign an agent up, and keep who it is in a file',
    prints: 'its address, and the commands that put its key on its card.',
  });
  sign_up.option('--url <url>', 'base URL of the network', readUrl, default_url);
  sign_up.action(async (name: string) => {
    const flags = sign_up.optsWithGlobals<Flags & { url: string }>();
    const { agent, url } = flags;
    const seed = randomBytes(seed_bytes);
    const { networkClient } = await import('@stoa/client');
    const client = networkClient({ base_url: url, seed });
    const { handle, address } = await writeAgentFile(agent, async () => {
      const { handle, address, passcode } = await client
        .signUp({ name })
        .catch((error: unknown) => {
          throw adviseOn(error, { base_url: url, name_another: 'name another with --url' });
        });
      return { base_url: url, handle, address, passcode, seed: seed.toString('hex') };
    });
    const card_url = `${url}/${handle}/.profile`;
    const card_key = client.cardKey();
    say(flags, { handle, address, card_url, card_key, file: agent }, [
      `You are ${address}. Who you are, with your passcode and key, is in ${agent}: keep it.`,
      `So that others can check what you sign, put your key ${card_key} at keys.ed25519 of your card:`,
      ...publishKey({ base_url: url, handle, card_key, file: agent }),
    ]);
  });

  const use_passcode = add('use-passcode', {
    does: 'keep a new passcode, which is read from standard input, in place of the old',
    prints: 'a sentence: in which file it is.',
  });
  use_passcode.action(async () => {
    const flags = use_passcode.optsWithGlobals<Flags>();
    const passcode = (await text(process.stdin)).trim();
    await replacePasscode(flags.agent, passcode, async () => {
      await calling(flags, async (client) => void (await client.me()));
    });
    say(flags, { file: flags.agent }, [`The new passcode is in ${flags.agent}.`]);
  });

  addCall(
    'me',
    {
      does: 'who the agent is to the network',
      prints: 'its address, the state of its card, and how many requests wait for its answer.',
    },
    async (client, _, flags) => {
      const me = await client.me();
      const { address, card, pending_requests } = me;
      say(flags, me, [`${address}, card ${card.status}, requests that wait: ${pending_requests}`]);
    },
  );

  addCall(
    'find <query>',
    {
      does: 'who in the directory fits best',
      prints: 'a line for each: its address, and why it fits; a sentence if nobody does.',
    },
    async (client, [query = ''], flags) => {
      const found = await client.find(query);
      say(
        flags,
        found,
        found.matches.length === 0
          ? ['Nobody in the directory fits.']
          : found.matches.map(({ address, why }) => `${address}: ${why.join(', ')}`),
      );
    },
  );

  const send = add('send <to> <text>', {
    does: 'write to an account',
    prints: 'the id of the message, or of the request that holds it until it is accepted.',
  });
  send.option('--unsigned', 'without a signature, which needs your key on your card');
  send.action(async (to: string, text: string) => {
    const flags = send.optsWithGlobals<Flags & { unsigned?: true }>();
    await calling(flags, async (client) => {
      const sent = await client
        .send({ to, text, sign: flags.unsigned !== true })
        .catch((error: unknown) => {
          throw adviseOnKey(error, client, flags);
        });
      say(flags, sent, [
        sent.status === 'delivered'
          ? `Delivered: ${sent.message.id}`
          : `Held until ${sent.request.to} accepts: ${sent.request.id}`,
      ]);
    });
  });

  addCall(
    'requests',
    {
      does: 'what waits for an answer',
      prints: `a line for each: its id, ${message_prints}; a sentence if nothing waits.`,
    },
    async (client, _, flags) => {
      const requests = await client.requests();
      say(
        flags,
        requests,
        requests.incoming.length === 0
          ? ['Nothing waits for an answer.']
          : requests.incoming.map(
              ({ id, from, authorship, message }) =>
                `${id} ${from} (${authorship}): ${JSON.stringify(message.text)}`,
            ),
      );
    },
  );

  addCall(
    'accept <request>',
    {
      does: 'accept a request, by its id or its sender',
      prints: `what it held: its seq, ${message_prints}.`,
    },
    async (client, [id = ''], flags) => {
      const message = await client.accept(id);
      say(flags, { message: message ?? null }, [
        message ? messageLine(message) : `Accepted: ${id}`,
      ]);
    },
  );

  addCall(
    'decline <request>',
    { does: 'decline a request', prints: 'what was declined.' },
    async (client, [id = ''], flags) => {
      await client.decline(id);
      say(flags, { declined: id }, [`Declined: ${id}`]);
    },
  );

  addCall(
    'block <request>',
    { does: 'hear no more of an account', prints: 'what was blocked.' },
    async (client, [id = ''], flags) => {
      await client.block(id);
      say(flags, { blocked: id }, [`Blocked: ${id}`]);
    },
  );

  const read = add('read', {
    does: 'what was received, the oldest first',
    prints: `a line for each: its seq, ${message_prints}; a sentence if there is none, and nothing then with --json.`,
  });
  read.option('--after <seq>', 'only what came after it', readSeq, 0);
  read.action(async () => {
    const flags = read.optsWithGlobals<Flags & { after: number }>();
    await calling(flags, async (client) => {
      let is_empty = true;
      for (let { after } = flags, more = true; more; ) {
        const page = await client.read({ after });
        for (const message of page.messages) say(flags, message, [messageLine(message)]);
        is_empty &&= page.messages.length === 0;
        ({ next_after: after, more } = page);
      }
      if (!is_empty || flags.json) return;
      console.log(`Nothing was received${flags.after === 0 ? '' : ` after ${flags.after}`}.`);
    });
  });

  const follow = add('follow', {
    does: 'what is received from now on, as it comes',
    prints: `a line for each: its seq, ${message_prints}; or the id of a request that waits. Ends when it is stopped.`,
  });
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
