import type { Answer, network_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import { whyNotKept } from '../delivery/read-call-url.ts';
import type { Network } from '../network.ts';
import { deleteWake, putWake } from './inbox-store.ts';

type SetWakeUrl = typeof network_routes.setWakeUrl;

/** Sets where the caller is woken when a message reaches its inbox (NET-194). */
export async function setWakeUrl(
  network: Network,
  { body: { url }, refuse }: Call<SetWakeUrl>,
  { account: { account } }: Caller,
): Promise<Answer<SetWakeUrl>> {
  const { transact, calls } = network;
  if (url === null) {
    await transact((tx) => {
      calls.changed(tx, account);
      return deleteWake(tx.db, account);
    });
  } else {
    const detail = await whyNotKept(network, url);
    if (detail !== undefined) throw refuse('invalid_url', { detail });
    await transact((tx) => {
      calls.changed(tx, account);
      return putWake(tx.db, { account, url });
    });
  }
  return { status: 200, body: { wake_url: url } };
}
