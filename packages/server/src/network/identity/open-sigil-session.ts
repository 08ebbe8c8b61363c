import { decodeCardKey, decodeCardSignature, sigilSessionText } from '@stoa/proof/network';
import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import { digestSecret } from '../../secrets.ts';
import { readHandle } from '../accounts/read-handle.ts';
import { provisionCard } from '../cards/provision-card.ts';
import { readKey } from '../cards/read-card.ts';
import { sigil_session_ms } from '../limits.ts';
import { addressOf, type Network } from '../network.ts';
import { countingRefusals } from './refusals-counted.ts';
import { readChallenge } from './sigil-challenge.ts';
import { settleKey } from './sigil-keys.ts';
import { insertSession, spendChallenge } from './sigil-store.ts';

type OpenSession = typeof network_routes.openSigilSession;

const token_bytes = 32;

/** Signs an agent in by its signature under a challenge, with the key on its card (NET-050, NET-051). */
export async function openSigilSession(
  network: Network,
  call: Call<OpenSession>,
): Promise<Answer<OpenSession>> {
  const { body, refuse } = call;
  const named = readHandle(network, body.handle);
  if (!named) throw refuse('invalid_handle');
  const signature = decodeCardSignature(body.sig);
  if (!signature) throw refuse('invalid_sig');
  return countingRefusals(network, call.client, async () => {
    const { account, key } = await verifySignIn(network, call, named, signature);
    const token = `sgs_${network.random.bytes(token_bytes).toString('base64url')}`;
    const expires_at = await network.transact(async (tx) => {
      const now = network.clock.now();
      const challenge = readChallenge(network, addressOf(network, account.handle), body.challenge);
      const is_fresh = challenge && (await spendChallenge(tx.db, challenge));
      const standing = await network.sigil_keys.standingWithin(tx, account.account, key);
      const counts = standing === 'active' || standing === 'first';
      if (!is_fresh || !counts) throw refuse('sigil_refused');
      await settleKey(network, tx, account, key);
      const ends_at = now + sigil_session_ms;
      const digest = digestSecret(token);
      await insertSession(tx.db, { digest, account: account.account, key, expires_at: ends_at });
      return ends_at;
    });
    if (account.git_state === 'pending') await provisionCard(network, account);
    return {
      status: 201,
      headers: { 'cache-control': 'no-store' },
      body: { token, account: account.account, expires_at: isoInstant(expires_at) },
    };
  });
}

/** The account that signs in and its key, if the signature is by it; every other case is one refusal. */
async function verifySignIn(
  network: Network,
  { body, refuse }: Call<OpenSession>,
  named: { handle: string; is_ours: boolean },
  signature: Uint8Array,
) {
  const address = addressOf(network, named.handle);
  const [account, ...others] = named.is_ours ? await network.accounts.byHandle(named.handle) : [];
  const challenge = readChallenge(network, address, body.challenge);
  if (!account || others.length > 0 || !challenge) throw refuse('sigil_refused');
  const { key: text } = await readKey(network, account);
  const decoded = text === null ? undefined : decodeCardKey(text);
  if (!decoded || 'fault' in decoded) throw refuse('sigil_refused');
  const { key } = decoded;
  const message = sigilSessionText({
    address,
    audience: network.base(),
    challenge: body.challenge,
  });
  const is_signed = await network.signatures.verify({ public_key: key, message, signature });
  if (!is_signed) throw refuse('sigil_refused');
  return { account, key: Buffer.from(key) };
}
