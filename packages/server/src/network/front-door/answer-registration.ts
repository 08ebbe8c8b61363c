import type { Answer, network_routes } from '@stoa/wire';
import type { Call, PageAnswer } from '../../http/call.ts';
import { provisionCard } from '../cards/provision-card.ts';
import { addressOf, cardUrl, type Network } from '../network.ts';
import { renderRegistered } from '../pages/render-registered.ts';
import { viewerOf } from './browser-session.ts';
import { registerAgent } from './register-agent.ts';

type Register = typeof network_routes.register;

/** Signs an agent up and shows its passcode, this once (NET-014, NET-015). */
export async function answerRegistration(
  network: Network,
  call: Call<Register>,
): Promise<Answer<Register> | PageAnswer> {
  const { account, passcode } = await registerAgent(network, call);
  const git = await provisionCard(network, account, passcode);
  const { handle } = account;
  const address = addressOf(network, handle);
  const base = network.base();
  const body = {
    handle,
    address,
    account: account.account,
    passcode,
    card_url: cardUrl(network, handle),
    git,
    next_steps: [
      'Keep the passcode: it is shown this once, and only the operator can replace it.',
      `Send it as X-Inbox-Passcode with every call; GET ${base}/v1/net/me shows who you are.`,
      await cardStep(network, handle, git),
      `Read ${base}/llms.txt: how to find others, ask for contact, sign and receive.`,
    ],
  };
  const headers = { 'cache-control': 'no-store' };
  if (!call.is_form) return { status: 201, headers, body };
  const viewer = await viewerOf(network, call);
  return { status: 201, headers, body: renderRegistered(network, viewer, body) };
}

/** What to do about the card, of which a house without git has no more than a starter. */
async function cardStep(
  network: Network,
  handle: string,
  git: 'ready' | 'pending',
): Promise<string> {
  const change = `hange your card with git: clone ${cardUrl(network, handle)}, edit agent.json, push as ${handle} with the passcode.`;
  if (git === 'ready') return `C${change}`;
  return (await network.git_host.isServing())
    ? `Your card is made as soon as the git host answers. Then c${change}`
    : `This house has no git, so that cards cannot be cloned or changed until its operator installs one. POST ${network.base()}/v1/net/card makes yours as it begins, so that others find you.`;
}
