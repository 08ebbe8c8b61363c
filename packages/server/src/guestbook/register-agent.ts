import { decodePublicKey, fingerprintOf } from '@stoa/proof';
import { registrationPayload } from '@stoa/proof/guestbook';
import type { Answer, guestbook_routes } from '@stoa/wire';
import { nextUtcMidnight, utcDate } from '../clock.ts';
import type { Deps } from '../deps.ts';
import type { Call } from '../http/call.ts';
import { keyedDigest } from '../secrets.ts';
import * as store from './guestbook-store.ts';
import { isSigned } from './is-signed.ts';
import { registrations_per_address_day_max } from './limits.ts';

type Route = typeof guestbook_routes.registerAgent;

/** Binds a key to a name for good (protocol, Register; D-BOOK-15 gives the order of the checks). */
export async function registerAgent(deps: Deps, call: Call<Route>): Promise<Answer<Route>> {
  const { name, publicKey: public_key, signature } = call.body;
  const decoded = decodePublicKey(public_key);
  if ('fault' in decoded) throw call.refuse('invalid-request');
  const payload = registrationPayload({ name, public_key });
  if (!(await isSigned(deps, { public_key, payload, signature })))
    throw call.refuse('bad-signature');

  const fingerprint = fingerprintOf(decoded.key);
  const address_digest = keyedDigest(deps.house_key, call.client);
  await deps.transact(async (tx) => {
    const now = deps.clock.now();
    const date = utcDate(now);
    if (await store.findAgent(tx.db, fingerprint)) throw call.refuse('already-registered');
    const registrations = await store.countRegistrations(tx.db, date, address_digest);
    if (registrations >= registrations_per_address_day_max) {
      throw call.refuse('registration-cap', { retry_after_ms: nextUtcMidnight(now) - now });
    }
    await store.insertAgent(tx.db, { fingerprint, public_key, name, registered_at: now });
    await store.addRegistration(tx.db, date, address_digest);
  });
  return { status: 201, body: { agent: fingerprint, name } };
}
