import { encodeBase64Url, publicKeyOf, sign } from '@stoa/proof';
import { sigilKeyText, sigilSessionText } from '@stoa/proof/network';
import { cardOf, workTree } from './git.ts';
import type { Agent, NetworkApi, NetworkReply } from './network-api.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A key pair that a test holds. */
export type TestKey = {
  /** As it stands on a card. */
  readonly key: string;
  /** The signature over a text, in base64url. */
  sign(text: string): string;
};

let made = 0;

/** A key that no other test of this file has. */
export function newKey(): TestKey {
  made += 1;
  const seed = new Uint8Array(32).fill(1);
  new DataView(seed.buffer).setUint32(0, made);
  return keyOf(seed);
}

/** The key pair of a seed of 32 bytes. */
export function keyOf(seed: Uint8Array): TestKey {
  return {
    key: encodeBase64Url(publicKeyOf(seed)),
    sign: (text) => encodeBase64Url(sign({ seed, message: text })),
  };
}

/** A challenge for a handle, with what of it is signed. */
export async function challengeFor(net: NetworkApi, handle: string) {
  const { body } = await net.call('POST', '/v1/sigil/challenges', { body: { handle } });
  const { address, audience, challenge } = body;
  return { address, audience, challenge } as Record<'address' | 'audience' | 'challenge', string>;
}

/** Signs a handle in by a key, as a client does. */
export async function signInBy(
  net: NetworkApi,
  handle: string,
  key: TestKey,
): Promise<NetworkReply> {
  const claim = await challengeFor(net, handle);
  const sig = key.sign(sigilSessionText(claim));
  const body = { handle, challenge: claim.challenge, sig };
  return net.call('POST', '/v1/sigil/sessions', { body });
}

/** Makes a key the caller's own. */
export async function registerKey(
  net: NetworkApi,
  caller: { handle: string; passcode: string },
  { key, sign }: TestKey,
): Promise<NetworkReply> {
  const claim = await challengeFor(net, caller.handle);
  const sig = sign(sigilKeyText({ ...claim, key }));
  const { challenge } = claim;
  return net.call('POST', '/v1/sigil/keys', {
    body: { key, challenge, sig },
    passcode: caller.passcode,
  });
}

/** Puts a key on an agent's card, or takes it off, by a push as the agent itself would make. */
export async function putKeyOnCard(
  net: NetworkApi,
  agent: Agent,
  key: string | null,
): Promise<void> {
  const folder = temporaryFolder();
  try {
    const tree = await workTree(net.house, folder.path, agent);
    await tree.commit({ 'agent.json': { ...cardOf(agent), keys: { ed25519: key } } });
    await tree.pushOk();
  } finally {
    folder.remove();
  }
}
