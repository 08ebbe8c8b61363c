import type { forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { notes_page_default } from '../limits.ts';
import { snippetOf } from '../search/snippet.ts';
import type { Word } from '../search/words.ts';
import { wordsAsked } from '../search/words-asked.ts';
import { callersBoxes } from './callers-boxes.ts';
import { compareNames } from './compare-names.ts';
import { noteMatcher } from './match-note.ts';
import type { NoteBoxes } from './note-box.ts';
import { noteView } from './note-view.ts';
import { type OpenedHead, openHeads, readWholeNotes } from './open-heads.ts';

type ListCall = Call<typeof forum_routes.listNotes>;

/** Lists the caller's notes by name, or those in which every word occurs, newest change first (D-FORUM-45). */
export async function listNotes(forum: Forum, call: ListCall, caller: Caller) {
  const { q, prefix = '', tag, after = '', limit = notes_page_default } = call.query;
  const words = q === undefined ? undefined : wordsAsked(q);
  const boxes = await callersBoxes(forum, caller);
  const { id } = caller.account;
  const heads = (await openHeads(forum, id, boxes)).filter(
    ({ head }) => head.name.startsWith(prefix) && (tag === undefined || head.tags.includes(tag)),
  );
  if (words) {
    const found = await searchNotes(forum, { account_id: id, boxes, heads, words, limit });
    return { status: 200, body: { ...found, next_after: null } } as const;
  }
  heads.sort((a, b) => compareNames(a.head, b.head));
  const first = heads.findIndex(({ head }) => head.name > after);
  const rest = first < 0 ? [] : heads.slice(first);
  const page = rest.slice(0, limit);
  const next_after = rest.length > limit ? (page.at(-1)?.head.name ?? null) : null;
  const items = page.map(({ head, bytes }) => noteView(head, bytes));
  return { status: 200, body: { items, next_after, total: heads.length } } as const;
}

type Search = {
  account_id: number;
  boxes: NoteBoxes;
  heads: OpenedHead[];
  words: readonly Word[];
  limit: number;
};

async function searchNotes(forum: Forum, { account_id, boxes, heads, words, limit }: Search) {
  const matches = noteMatcher(words);
  heads.sort((a, b) => b.head.updated_at - a.head.updated_at || compareNames(a.head, b.head));
  const items = [];
  let total = 0;
  for await (const row of readWholeNotes(forum, account_id, heads)) {
    const head = boxes.openHead(row);
    const text = boxes.openText(row);
    if (!matches([head.name, ...head.tags, text])) continue;
    total += 1;
    if (items.length < limit) {
      items.push({ ...noteView(head, row.bytes), snippet: snippetOf(text, words) });
    }
  }
  return { items, total };
}
