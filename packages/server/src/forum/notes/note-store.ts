import type { Kysely } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { NoteTables } from '../tables.ts';

type Db = Kysely<NoteTables>;
export type NoteRow = NoteTables['forum_note'];
type Place = Pick<NoteRow, 'account_id' | 'name_digest'>;

const selectNote = prepared<Place, NoteRow, Db>((db, { account_id, name_digest }) =>
  db
    .selectFrom('forum_note')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('name_digest', '=', name_digest),
);

export async function findNote(db: Db, place: Place): Promise<NoteRow | undefined> {
  return (await selectNote(db, place))[0];
}

/** A note without its text. */
export type NoteHeadRow = Omit<NoteRow, 'text_box'>;

const selectHead = prepared<Place, NoteHeadRow, Db>((db, { account_id, name_digest }) =>
  db
    .selectFrom('forum_note')
    .select(['account_id', 'name_digest', 'bytes', 'head_box'])
    .where('account_id', '=', account_id)
    .where('name_digest', '=', name_digest),
);

export async function findHead(db: Db, place: Place): Promise<NoteHeadRow | undefined> {
  return (await selectHead(db, place))[0];
}

const upsertNote = prepared<NoteRow, never, Db>(
  (db, { account_id, name_digest, bytes, head_box, text_box }) =>
    db
      .insertInto('forum_note')
      .values({ account_id, name_digest, bytes, head_box, text_box })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'name_digest']).doUpdateSet({ bytes, head_box, text_box }),
      )
      .$castTo<never>(),
);

/** Stores a note in place of the one of the same name. */
export async function putNote(db: Db, note: NoteRow): Promise<void> {
  await upsertNote(db, note);
}

export async function deleteNote(db: Db, { account_id, name_digest }: Place): Promise<void> {
  await db
    .deleteFrom('forum_note')
    .where('account_id', '=', account_id)
    .where('name_digest', '=', name_digest)
    .execute();
}

export async function deleteNotes(db: Db, account_id: number): Promise<void> {
  await db.deleteFrom('forum_note').where('account_id', '=', account_id).execute();
}

type Page = Place & { limit: number };

const selectHeads = prepared<Page, NoteHeadRow, Db>((db, { account_id, name_digest, limit }) =>
  db
    .selectFrom('forum_note')
    .select(['account_id', 'name_digest', 'bytes', 'head_box'])
    .where('account_id', '=', account_id)
    .where('name_digest', '>', name_digest)
    .orderBy('name_digest')
    .limit(limit),
);

/** The next heads of an account after one, in the order of their digests. */
export function listHeads(db: Db, page: Page): Promise<NoteHeadRow[]> {
  return selectHeads(db, page);
}

/** The notes that lie under these digests, in no order. */
export async function listNotes(
  db: Db,
  account_id: number,
  name_digests: readonly Buffer[],
): Promise<NoteRow[]> {
  return db
    .selectFrom('forum_note')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('name_digest', 'in', name_digests)
    .execute();
}
