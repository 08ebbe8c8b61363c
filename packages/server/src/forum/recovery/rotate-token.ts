import type { forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { identify } from '../accounts/identify.ts';
import { forgetMember } from '../accounts/members.ts';
import { replaceToken } from '../accounts/secret-store.ts';
import { mintToken } from '../accounts/token.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { deleteSealedAnswersOf } from '../idempotency/kept-answer-store.ts';
import { keepRotation } from '../idempotency/rotation-replay.ts';
import { openWithToken, wrapUnderToken } from '../notes/data-key.ts';

/** Replaces the caller's token; the old one is unusable from the commit on, and no note is touched. */
export async function rotateToken(
  forum: Forum,
  { refuse }: Call<typeof forum_routes.rotateToken>,
  caller: Caller,
) {
  const { token: old_token, keyed } = caller;
  const { random } = forum;
  const account = await identify(forum, forum.read, old_token);
  const token = mintToken(random);
  const data_key = openWithToken(account, old_token);
  const wrap = wrapUnderToken(random, account.id, token, data_key);
  return forum.transact(async (tx) => {
    // Of several rotations with one token, this lets one through.
    const { id, token_digest: old_digest } = await identify(forum, tx.db, caller.token);
    const created_at = forum.nowSeconds();
    const answer = { status: 200, body: { token, created_at } } as const;
    const columns = { ...wrap, ...keepRotation(forum, old_token, keyed, answer) };
    const replacement = { id, old_digest, token_made_at: created_at };
    if (!(await replaceToken(tx.db, replacement, columns))) throw refuse('unauthorized');
    forgetMember(forum, tx, account);
    await deleteSealedAnswersOf(tx.db, id);
    return answer;
  });
}
