import type { Answer, network_routes } from '@stoa/wire';
import { isoInstant } from '../../clock.ts';
import type { Call } from '../../http/call.ts';
import { readAccountId } from '../accounts/account-id.ts';
import type { Caller } from '../caller.ts';
import { ask_again_ms } from '../limits.ts';
import { addressOf, type Network } from '../network.ts';
import { findAnswerable, readNamed } from './find-answerable.ts';
import { updateRequest } from './request-store.ts';

type DeclineRequest = typeof network_routes.declineRequest;

/** Drops what a request holds; its sender may ask again in seven days (NET-133, NET-134). */
export async function declineRequest(
  network: Network,
  { params, refuse }: Call<DeclineRequest>,
  { account: { account } }: Pick<Caller, 'account'>,
): Promise<Answer<DeclineRequest>> {
  const named = await readNamed(network, params.id);
  const { request, answered_at } = await network.transact(async (tx) => {
    const { db } = tx;
    const request = await findAnswerable(db, named, account);
    const { id, status, is_hidden } = request;
    const now = network.clock.now();
    if (status === 'declined') return { request, answered_at: request.answered_at ?? now };
    if (status !== 'pending' || is_hidden === 1) throw refuse('request_answered');
    network.relations.changed(tx, request.from_account, request.to_account);
    await updateRequest(db, id, {
      status: 'declined',
      answered_at: now,
      held: null,
      ask_again_at: now + ask_again_ms,
    });
    return { request, answered_at: now };
  });
  const from = addressOf(network, readAccountId(request.from_account).handle);
  const { id } = request;
  return {
    status: 200,
    body: {
      request: { id, status: 'declined', from, answered_at: isoInstant(answered_at) },
      message: null,
    },
  };
}
