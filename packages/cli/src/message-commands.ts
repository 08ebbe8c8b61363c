import type { NetworkClient, ReadNetworkMessage } from '@stoa/client';
import { type Command, InvalidArgumentError } from 'commander';
import { inOtherWords, publishKey } from './agent-advice.ts';
import { addCommand, calling, type Flags, say } from './agent-command.ts';
import { readAgentFile } from './agent-file.ts';
import { print, tell } from './print.ts';

/** What help says of a message's line, after what stands first in it. */
export const message_prints = 'who wrote it, how that is known, and its text';

export const messageLine = ({ seq, from, authorship, text }: ReadNetworkMessage): string =>
  `${seq} ${from} (${authorship}): ${JSON.stringify(text)}`;

/** Reads a seq of the command line. */
function readSeq(text: string): number {
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  }
  return Number(text);
}

/** What an agent may do whose signature is refused because its card has no key. */
function adviseOnKey(error: unknown, client: NetworkClient, { agent: file }: Flags): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (code !== 'bad_signature') return error;
  const { base_url, handle, address } = readAgentFile(file);
  const steps = publishKey({ base_url, handle, address, card_key: client.cardKey(), file });
  return new Error(
    [`${message} Send it with --unsigned, or put your key on your card first:`, ...steps].join(
      '\n',
    ),
  );
}

/** Adds the commands by which an agent writes, and reads what it was sent. */
export function addMessageCommands(network: Command): void {
  const send = addCommand(network, {
    verb: 'send',
    takes: { to: 'handle or address of an account', text: 'what to write' },
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
        })
        .catch(
          inOtherWords({
            blocked_by_you: `you block this account; \`stoa network unblock ${to}\` lifts the block`,
          }),
        );
      say(flags, sent, [
        sent.status === 'delivered'
          ? `Delivered: ${sent.message.id}`
          : `Held until ${sent.request.to} accepts: ${sent.request.id}`,
      ]);
    });
  });

  const read = addCommand(network, {
    verb: 'read',
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
      print(`Nothing was received${flags.after === 0 ? '' : ` after ${flags.after}`}.`);
    });
  });

  const follow = addCommand(network, {
    verb: 'follow',
    does: 'what is received from now on, as it comes',
    prints: `a line for each: its seq, ${message_prints}; or the id of a request that waits. Says on standard error when the network is lost and when it is back. Ends when it is stopped.`,
  });
  follow.option('--after <seq>', 'from there on', readSeq);
  follow.action(async () => {
    const flags = follow.optsWithGlobals<Flags & { after?: number }>();
    const { base_url } = readAgentFile(flags.agent);
    await calling(flags, async (client) => {
      const received = client.follow({
        ...(flags.after === undefined ? {} : { after: flags.after }),
        onLost: () => tell(`there is no connection to ${base_url}; trying until there is one`),
        onBack: () => tell(`connected to ${base_url} again`),
      });
      for await (const item of received) {
        const line =
          item.event === 'message'
            ? messageLine(item.message)
            : `A contact request waits: ${item.request_id}`;
        say(flags, item, [line]);
      }
    });
  });
}
