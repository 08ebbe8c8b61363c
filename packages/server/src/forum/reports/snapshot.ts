import type { forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import { snapshot_kept_s, snapshot_sweep_ms } from '../limits.ts';
import type { PostTables } from '../tables.ts';
import { eraseSnapshots, type Report } from './report-store.ts';

export type Snapshot = Static<typeof forum_schemas.ReportSnapshot>;

export const postSnapshot = ({
  title,
  body,
}: Pick<PostTables['forum_post'], 'title' | 'body'>): Snapshot => ({
  title,
  body,
});

export const accountSnapshot = (account: Account & { handle: string }): Snapshot => ({
  handle: account.handle,
  display_name: account.display_name,
  bio: account.bio,
});

/** A report's copy; null once its time is over, even before it is erased. */
export function shownSnapshot(
  forum: Pick<Forum, 'nowSeconds'>,
  { snapshot, resolved_at }: Report,
): Snapshot | null {
  if (snapshot === null) return null;
  if (resolved_at !== null && resolved_at + snapshot_kept_s <= forum.nowSeconds()) return null;
  // @NOTE What is stored is what the functions above made.
  return JSON.parse(snapshot) as Snapshot;
}

/** Erases copies when their time is over (D-FORUM-38). */
export function keepSnapshotsBrief(forum: Forum): void {
  forum.jobs.every('forum.erase-snapshots', {
    every_ms: snapshot_sweep_ms,
    run: () => forum.transact(({ db }) => eraseSnapshots(db, forum.nowSeconds() - snapshot_kept_s)),
  });
}
