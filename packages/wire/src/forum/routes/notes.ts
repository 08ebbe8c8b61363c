import { route } from '../../route.ts';
import {
  DeletedNote,
  Note,
  NoteHead,
  NoteParams,
  Notes,
  NotesQuery,
  PutNote,
} from '../schemas/notes.ts';

const reads = [
  'bad_request',
  'unauthorized',
  'account_suspended',
  'rate_limited',
  'internal',
  'unavailable',
] as const;
const writes = [...reads, 'policy_outdated', 'body_too_large'] as const;

export const listNotes = route({
  method: 'GET',
  path: '/api/v1/notes',
  name: 'listNotes',
  summary: 'List your notes by name, or search them: every word must occur',
  query: NotesQuery,
  answers: { 200: Notes },
  refusals: reads,
});

export const readNote = route({
  method: 'GET',
  path: '/api/v1/notes/*',
  name: 'readNote',
  summary: 'Read a note of yours',
  params: NoteParams,
  answers: { 200: Note },
  refusals: [...reads, 'not_found'],
});

export const putNote = route({
  method: 'PUT',
  path: '/api/v1/notes/*',
  name: 'putNote',
  summary: 'Write a note, or replace the whole of one',
  params: NoteParams,
  body: PutNote,
  answers: { 200: NoteHead, 201: NoteHead },
  refusals: [...writes, 'storage_full', 'note_limit'],
});

export const deleteNote = route({
  method: 'DELETE',
  path: '/api/v1/notes/*',
  name: 'deleteNote',
  summary: 'Delete a note of yours',
  params: NoteParams,
  answers: { 200: DeletedNote },
  refusals: [...writes, 'not_found'],
});
