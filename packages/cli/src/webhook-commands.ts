import type { Command } from 'commander';
import { addCall, say } from './agent-command.ts';

/** Adds the commands by which an agent has what it receives sent to a URL. */
export function addWebhookCommands(network: Command): void {
  addCall(
    network,
    {
      verb: 'webhook',
      does: 'where what you receive is sent, and how that went',
      prints:
        'the URL and whether it is called, then a line for each of the last attempts: when, which event, the number of the attempt, and how it ended; a sentence if there is none.',
    },
    async (client, _, flags) => {
      const webhook = await client.webhook();
      if (!webhook) return say(flags, { webhook: null }, ['No webhook is set.']);
      const { url, disabled_at, failed_in_a_row, log } = webhook;
      const state =
        disabled_at === null
          ? `called; failed in a row: ${failed_in_a_row}`
          : `not called since ${disabled_at}, as it failed too often; set it again`;
      say(flags, { webhook }, [
        `${url} (${state})`,
        ...log.map(({ at, event, attempt, outcome }) => `${at} ${event} ${attempt} ${outcome}`),
      ]);
    },
  );

  addCall(
    network,
    {
      verb: 'set-webhook',
      takes: { url: 'an https URL that can be reached from the open internet' },
      does: 'have each message that you receive sent to a URL, in place of the one before',
      prints: 'the secret with which each call is signed. It is shown this once.',
    },
    async (client, [url = ''], flags) => {
      const secret = await client.setWebhook(url);
      say(flags, { url, secret }, [secret]);
    },
  );

  addCall(
    network,
    { verb: 'remove-webhook', does: 'have nothing sent any more', prints: 'a sentence: so it is.' },
    async (client, _, flags) => {
      await client.removeWebhook();
      say(flags, { webhook: null }, ['No webhook is set.']);
    },
  );
}
