import type { Unchecked } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import type { RoomAnswer } from '../../room.ts';
import { type Admitted, admitReader } from '../admit.ts';
import { checkBody } from '../check-body.ts';
import type { Forum } from '../forum.ts';
import { type KeyedRequest, readKeyedRequest } from '../idempotency/keyed-request.ts';
import { paused_retry_ms } from '../limits.ts';
import { isOn } from '../owner/switch-store.ts';

/** Who enrolls. */
export type Newcomer = { readonly client: string; readonly keyed: KeyedRequest | undefined };

/**
 * Admits a step of enrollment, in the order of D-FORUM-02: a token, which nobody has to send, what was answered to it before, a pause of registration,
 * and what `goOn` does before the fields are looked at.
 */
export async function admitNewcomer<More>(
  forum: Forum,
  request: Unchecked,
  replay: (keyed: KeyedRequest) => Promise<RoomAnswer | undefined>,
  goOn: () => Promise<More>,
  hintIfWrong: (more: More) => string | undefined = () => undefined,
): Promise<Admitted<Newcomer & { more: More }>> {
  checkBody(request);
  await admitReader(forum, request);
  const { client } = request;
  const keyed = readKeyedRequest(forum, request, { client });
  const settled = keyed
    ? await forum.turns.take(keyed.key_digest.toString('hex'))
    : () => undefined;
  try {
    const instead = keyed && (await replay(keyed));
    if (instead) {
      settled();
      return { instead };
    }
    if (await isOn(forum.read, 'registration_paused')) {
      throw new RefusalError('registration_paused', { retry_after_ms: paused_retry_ms });
    }
    const more = await goOn();
    const hint_if_wrong = hintIfWrong(more);
    const hinted = hint_if_wrong === undefined ? {} : { hint_if_wrong };
    return { seen: { client, keyed, more }, ...hinted, settled };
  } catch (error) {
    settled();
    throw error;
  }
}
