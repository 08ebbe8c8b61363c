import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { NetworkClient } from '@stoa/client';
import { cardFaultWords } from '@stoa/wire';
import type { Command } from 'commander';
import { adviseOn, publishKey, readUrl } from './agent-advice.ts';
import { addCall, addCommand, calling, type Flags, say } from './agent-command.ts';
import { readAgentFile, replacePasscode, writeAgentFile } from './agent-file.ts';
import { addContactCommands } from './contact-commands.ts';
import { addMessageCommands } from './message-commands.ts';
import { print } from './print.ts';
import { addWebhookCommands } from './webhook-commands.ts';

const default_url = 'http://127.0.0.1:8080/net';
const seed_bytes = 32;

type Me = Awaited<ReturnType<NetworkClient['me']>>;

/** What to do about a card that does not count; nothing of one that does. */
async function cardAdvice(client: NetworkClient, { handle, card }: Me): Promise<string[]> {
  const { status, reason, url } = card;
  if (status === 'missing') {
    return [
      `There is no agent.json on the branch main of ${url}: add one in a clone, and push it.`,
    ];
  }
  if (status === 'pending') {
    const why = reason === 'git_unavailable' ? 'cannot be read right now' : 'has no repository yet';
    return [`The card ${why}; ask again later.`];
  }
  if (status !== 'invalid') return [];
  const entry = await client.card(handle);
  // It may have been mended since.
  if (entry?.valid !== false) return [];
  return [
    `The card is invalid: ${cardFaultWords(entry)} Mend agent.json in a clone of ${url}, and push it.`,
  ];
}

/** Adds the commands by which an agent signs up, and sees how it stands. */
function addIdentityCommands(network: Command): void {
  const sign_up = addCommand(network, {
    verb: 'sign-up',
    takes: { name: 'what the agent is called' },
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
      ...publishKey({ base_url: url, handle, address, card_key, file: agent }),
    ]);
  });

  const use_passcode = addCommand(network, {
    verb: 'use-passcode',
    does: 'keep a new passcode, which is read from standard input, in place of the old',
    prints: 'a sentence: in which file it is.',
  });
  use_passcode.action(async () => {
    const flags = use_passcode.optsWithGlobals<Flags>();
    const { handle } = readAgentFile(flags.agent);
    const passcode = (await text(process.stdin)).trim();
    if (passcode === '') throw new Error('standard input holds no passcode');
    const wrong = new Error(
      `this is not the passcode of ${handle}; ${flags.agent} keeps the one before`,
    );
    // Nothing else fits into a header.
    if (!/^[!-~]+$/.test(passcode)) throw wrong;
    await replacePasscode(flags.agent, passcode, () =>
      calling(flags, async (client) => {
        const me = await client.me().catch((error: unknown) => {
          throw (error as { code?: unknown }).code === 'unauthorized' ? wrong : error;
        });
        if (me.handle !== handle) throw wrong;
      }),
    );
    say(flags, { file: flags.agent }, [`The new passcode is in ${flags.agent}.`]);
  });

  addCall(
    network,
    {
      verb: 'me',
      does: 'who the agent is to the network',
      prints:
        'its address, the state of its card, and how many requests wait for its answer; then what to do about the card, if it does not count.',
    },
    async (client, _, flags) => {
      const me = await client.me();
      const { address, card, pending_requests } = me;
      say(flags, me, [
        `${address}, card ${card.status}, requests that wait: ${pending_requests}`,
        ...(flags.json ? [] : await cardAdvice(client, me)),
      ]);
    },
  );
}

/** Adds the commands by which an agent finds others. */
function addDirectoryCommands(network: Command): void {
  addCall(
    network,
    {
      verb: 'find',
      takes: { query: 'what you look for, in your own words' },
      does: 'who in the directory fits best',
      prints: 'a line for each: its address, and why it fits; a sentence if nobody does.',
    },
    async (client, [query = ''], flags) => {
      const found = await client.find(query);
      const lines = found.matches.map(({ address, why }) => `${address}: ${why.join(', ')}`);
      say(flags, found, lines.length === 0 ? ['Nobody in the directory fits.'] : lines);
    },
  );

  const directory = addCommand(network, {
    verb: 'directory',
    does: 'who has a card',
    prints:
      'a line for each: its address, its name, and what it can do; a sentence if there is nobody, and nothing then with --json.',
  });
  directory.option('--words <words>', 'only cards in which all of these occur');
  directory.option('--capability <capability>', 'only cards that name this capability');
  directory.action(async () => {
    const flags = directory.optsWithGlobals<Flags & { words?: string; capability?: string }>();
    const { words: q, capability } = flags;
    await calling(flags, async (client) => {
      let is_empty = true;
      for (let after: string | undefined, more = true; more; more = after !== undefined) {
        const page = await client.directory({
          ...(q === undefined ? {} : { q }),
          ...(capability === undefined ? {} : { capability }),
          ...(after === undefined ? {} : { after }),
        });
        for (const card of page.cards) {
          const { address, display_name, capabilities } = card;
          const able = capabilities.length === 0 ? '' : `: ${capabilities.join(', ')}`;
          say(flags, card, [`${address} ${JSON.stringify(display_name)}${able}`]);
        }
        is_empty &&= page.cards.length === 0;
        after = page.next ?? undefined;
      }
      if (is_empty && !flags.json) print('Nobody in the directory fits.');
    });
  });
}

/**
 * Adds the commands by which an agent uses a network over HTTP, whoever runs it. What it signed up as, with
 * its passcode and key, lies in the file of `--agent`.
 */
export function addNetworkCommands(network: Command): void {
  network.description(`${network.description()}, and those of an agent`);
  network.commandsGroup("An agent's commands, over HTTP:");
  addIdentityCommands(network);
  addDirectoryCommands(network);
  addMessageCommands(network);
  addContactCommands(network);
  addWebhookCommands(network);
}
