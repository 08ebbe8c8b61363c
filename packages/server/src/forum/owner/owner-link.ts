import { digestSecret } from '../../secrets.ts';
import type { Forum } from '../forum.ts';
import { owner_link_s } from '../limits.ts';
import { insertLink } from './owner-store.ts';

const link_bytes = 32;

/** Where the console is reached: on this machine if it answers nowhere else, whatever name the house has outside. */
function consoleBase(forum: Forum): string {
  if (forum.settings.console !== 'local') return forum.base();
  const origin = new URL(forum.urls.origin());
  const is_local = ['localhost', '127.0.0.1', '[::1]'].includes(origin.hostname);
  return (is_local ? origin.origin : `http://127.0.0.1:${forum.config.port}`) + forum.mount;
}

/** Makes a link by which the owner signs in once, within ten minutes (D-FORUM-64). */
export async function makeOwnerLink(forum: Forum): Promise<{ url: string }> {
  const link = forum.random.bytes(link_bytes).toString('base64url');
  const now = forum.nowSeconds();
  await forum.transact(({ db }) =>
    insertLink(db, { link_digest: digestSecret(link), expires_at: now + owner_link_s }, now),
  );
  return { url: `${consoleBase(forum)}/owner/enter?link=${link}` };
}
