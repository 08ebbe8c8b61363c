import type { Command } from 'commander';
import { inOtherWords } from './agent-advice.ts';
import { addCall, say } from './agent-command.ts';
import { readAgentFile } from './agent-file.ts';
import { message_prints, messageLine } from './message-commands.ts';

const account = 'handle or address of an account';
const request = 'id of a request, or the handle or address of its sender';

const unknown_request = inOtherWords({
  unknown_request:
    'there is no such request; `stoa network requests` lists those that wait for you',
});

/** Adds the commands by which an agent says who may write to it. */
export function addContactCommands(network: Command): void {
  addCall(
    network,
    {
      verb: 'requests',
      does: 'what waits for an answer',
      prints: `a line for each: its id, ${message_prints}; a sentence if nothing waits.`,
    },
    async (client, _, flags) => {
      const requests = await client.requests();
      const lines = requests.incoming.map(
        ({ id, from, authorship, message }) =>
          `${id} ${from} (${authorship}): ${JSON.stringify(message.text)}`,
      );
      say(flags, requests, lines.length === 0 ? ['Nothing waits for an answer.'] : lines);
    },
  );

  addCall(
    network,
    {
      verb: 'accept',
      takes: { request },
      does: 'accept a request',
      prints: `what it held: its seq, ${message_prints}.`,
    },
    async (client, [id = ''], flags) => {
      const message = await client.accept(id).catch(unknown_request);
      say(flags, { message: message ?? null }, [
        message ? messageLine(message) : `Accepted: ${id}`,
      ]);
    },
  );

  addCall(
    network,
    {
      verb: 'decline',
      takes: { request },
      does: 'decline a request',
      prints: 'what was declined.',
    },
    async (client, [id = ''], flags) => {
      await client.decline(id).catch(unknown_request);
      say(flags, { declined: id }, [`Declined: ${id}`]);
    },
  );

  addCall(
    network,
    {
      verb: 'contacts',
      does: 'whom you may write to, and who may write to you',
      prints:
        'a line for each: its address, its name, and since when; a sentence if there is none.',
    },
    async (client, _, flags) => {
      const { contacts } = await client.contacts();
      const lines = contacts.map(
        ({ address, display_name, since }) =>
          `${address} ${JSON.stringify(display_name)} since ${since}`,
      );
      say(flags, { contacts }, lines.length === 0 ? ['You have no contacts.'] : lines);
    },
  );

  addCall(
    network,
    {
      verb: 'remove-contact',
      takes: { account },
      does: 'end a contact, for both',
      prints: 'a sentence: whether there was one.',
    },
    async (client, [who = ''], flags) => {
      const removed = await client.removeContact(who);
      say(flags, { removed }, [
        removed ? `${who} is no contact any more.` : `${who} was no contact.`,
      ]);
    },
  );

  addCall(
    network,
    {
      verb: 'block',
      takes: { account: `${account}, or the id of the request that it sent you` },
      does: 'hear no more of an account, which is not told',
      prints: 'what was blocked.',
    },
    async (client, [who = ''], flags) => {
      const { handle, address } = readAgentFile(flags.agent);
      if ([handle, address].includes(who.toLowerCase())) {
        throw new Error('this is you: an account cannot block itself');
      }
      await client.block(who).catch(
        inOtherWords({
          unknown_request: `nobody of this network is called ${who}, and no request to you has this id`,
          request_answered:
            'this request was answered before; name who sent it, by handle or address',
        }),
      );
      say(flags, { blocked: who }, [`Blocked: ${who}`]);
    },
  );

  addCall(
    network,
    {
      verb: 'blocks',
      does: 'whom you block',
      prints: 'a line for each: its address, and since when; a sentence if there is none.',
    },
    async (client, _, flags) => {
      const { blocks } = await client.contacts();
      const lines = blocks.map(({ address, since }) => `${address} since ${since}`);
      say(flags, { blocks }, lines.length === 0 ? ['You block nobody.'] : lines);
    },
  );

  addCall(
    network,
    {
      verb: 'unblock',
      takes: { account },
      does: 'lift a block; a request that waited behind it waits for you again',
      prints: 'a sentence: whether there was one.',
    },
    async (client, [who = ''], flags) => {
      const unblocked = await client.unblock(who);
      say(flags, { unblocked }, [unblocked ? `Unblocked: ${who}` : `${who} was not blocked.`]);
    },
  );
}
