import type { Db } from '../../storage/storage.ts';
import { type Account, listByHandles } from '../accounts/account-store.ts';
import { mentions_max } from '../limits.ts';

/** Not inside an address, a path or another name; then the longest run that could be a handle (D-FORUM-36). */
const mention = /(?<![A-Za-z0-9_@./-])@([A-Za-z0-9_]+)/g;
const handle = /^[a-z][a-z0-9_]{2,47}$/;

/** Handles that one look-up asks for. */
const looked_up_at_once = 50;

/** What could be handles of accounts that these texts mention, each once, in the order in which they come. */
function readMentions(texts: readonly string[]): string[] {
  const names = texts
    .filter((text) => text.includes('@'))
    .flatMap((text) =>
      // Runs are ASCII, so these are the small letters of ASCII and nothing is folded.
      [...text.matchAll(mention)].map(([, name = '']) => name.toLowerCase()),
    );
  return [...new Set(names)].filter((name) => handle.test(name));
}

/** Ids of the first twenty active accounts, other than the author, that a new post mentions. */
export async function findMentioned(
  db: Db,
  author: Pick<Account, 'id'>,
  texts: readonly string[],
  now_s: number,
): Promise<number[]> {
  const names = readMentions(texts);
  const found: number[] = [];
  for (let at = 0; at < names.length && found.length < mentions_max; at += looked_up_at_once) {
    const asked = names.slice(at, at + looked_up_at_once);
    const accounts = new Map(
      (await listByHandles(db, asked)).map((account) => [account.handle, account]),
    );
    for (const name of asked) {
      const account = accounts.get(name);
      const is_over = account?.expires_at != null && account.expires_at <= now_s;
      if (account?.status === 'active' && !is_over && account.id !== author.id) {
        found.push(account.id);
      }
    }
  }
  return found.slice(0, mentions_max);
}
