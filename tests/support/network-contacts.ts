import assert from 'node:assert/strict';
import type { Agent, NetworkApi } from './network-api.ts';

/** Makes two agents contacts: one asks, the other accepts. Answers the message that was held. */
export async function befriend(net: NetworkApi, from: Agent, to: Agent, text = 'Shall we talk?') {
  const asked = await net.call('POST', '/v1/net/messages', {
    passcode: from.passcode,
    body: { to: to.handle, text },
  });
  assert.equal(asked.status, 202, asked.text);
  const path = `/v1/net/requests/${asked.body.request.id}/accept`;
  const accepted = await net.call('POST', path, { passcode: to.passcode, body: {} });
  assert.equal(accepted.status, 200, accepted.text);
  return accepted.body.message;
}

/** Sends a message that must be delivered at once; answers it as its sender sees it. */
export async function sendTo(net: NetworkApi, from: Agent, to: Agent, text: string) {
  const sent = await net.call('POST', '/v1/net/messages', {
    passcode: from.passcode,
    body: { to: to.handle, text },
  });
  assert.equal(sent.status, 201, sent.text);
  return sent.body.message;
}

let pairs = 0;

/** Two new agents who are contacts. The first has asked; the second has that message at seq 1. */
export async function contacts(net: NetworkApi): Promise<readonly [from: Agent, to: Agent]> {
  pairs += 1;
  const from = await net.signUp(`from ${pairs}`);
  const to = await net.signUp(`to ${pairs}`);
  await befriend(net, from, to);
  return [from, to];
}
