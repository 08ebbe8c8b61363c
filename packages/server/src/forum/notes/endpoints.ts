import { forum_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint } from '../forum-endpoint.ts';
import { deleteNote } from './delete-note.ts';
import { listNotes } from './list-notes.ts';
import { putNote } from './put-note.ts';
import { readNote } from './read-note.ts';

export function notesEndpoints(forum: Forum): Endpoint[] {
  return [
    memberEndpoint(forum, forum_routes.listNotes, listNotes),
    memberEndpoint(forum, forum_routes.readNote, readNote),
    memberEndpoint(forum, forum_routes.putNote, putNote),
    memberEndpoint(forum, forum_routes.deleteNote, deleteNote),
  ];
}
