import type { Unchecked } from '../../http/call.ts';
import { type Admitted, admitReader } from '../admit.ts';
import { checkBody } from '../check-body.ts';
import type { Forum } from '../forum.ts';
import { type KeyedRequest, readKeyedRequest } from '../idempotency/keyed-request.ts';

/** Who asks for a recovery, and under which Idempotency-Key. */
export type RecoveryRequest = {
  readonly client: string;
  readonly keyed: KeyedRequest | undefined;
};

/**
 * Admits a recovery. The passphrase is no part of what makes two requests the same one: no fast hash of it lies
 * about (D-FORUM-56), and it is checked again before anything is answered again.
 */
export async function admitRecovery(
  forum: Forum,
  request: Unchecked,
): Promise<Admitted<RecoveryRequest>> {
  checkBody(request);
  await admitReader(forum, request);
  const { client } = request;
  const { passphrase: _, ...body } = (request.body ?? {}) as Record<string, unknown>;
  const keyed = readKeyedRequest(forum, request, { client }, body);
  const seen = { client, keyed };
  if (!keyed) return { seen };
  return { seen, settled: await forum.turns.take(keyed.key_digest.toString('hex')) };
}
