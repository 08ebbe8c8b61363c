import { decodeCardKey, decodeCardSignature, sigilKeyText } from '@stoa/proof/network';
import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import { addressOf, type Network } from '../network.ts';
import { countingRefusals } from './refusals-counted.ts';
import { readChallenge } from './sigil-challenge.ts';
import { spendChallenge } from './sigil-store.ts';

type RegisterKey = typeof network_routes.registerSigilKey;

/**
 * Makes a key the caller's own, which it proves by its signature; the one before is revoked (D-NET-14). A
 * session does not suffice: who has stolen one would keep the account.
 */
export async function registerSigilKey(
  network: Network,
  call: Call<RegisterKey>,
  { account, auth }: Caller,
): Promise<Answer<RegisterKey>> {
  const { body, refuse } = call;
  if (auth !== 'passcode') throw refuse('unauthorized');
  const decoded = decodeCardKey(body.key);
  if ('fault' in decoded) throw refuse('invalid_key');
  const signature = decodeCardSignature(body.sig);
  if (!signature) throw refuse('invalid_sig');
  const key = Buffer.from(decoded.key);
  const address = addressOf(network, account.handle);
  return countingRefusals(network, call.client, async () => {
    const isOpen = () => readChallenge(network, address, body.challenge);
    if (!isOpen()) throw refuse('invalid_challenge');
    const message = sigilKeyText({
      address,
      audience: network.base(),
      challenge: body.challenge,
      key: body.key,
    });
    const is_signed = await network.signatures.verify({ public_key: key, message, signature });
    if (!is_signed) throw refuse('bad_signature');
    await network.transact(async (tx) => {
      const challenge = isOpen();
      if (!challenge || !(await spendChallenge(tx.db, challenge))) {
        throw refuse('invalid_challenge');
      }
      const standing = await network.sigil_keys.standingWithin(tx, account.account, key);
      if (standing === 'revoked') throw refuse('key_revoked');
      if (standing === 'active') return;
      const since = network.clock.now();
      await network.sigil_keys.revokeActive(tx, { account: account.account, since });
      await network.sigil_keys.insertActive(tx, { account: account.account, key, since });
    });
    return { status: 200, body: { key: body.key, status: 'active' } };
  });
}
