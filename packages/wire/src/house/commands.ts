import { Type } from 'typebox';
import { command } from '../command.ts';

export const status = command({
  room: 'house',
  verb: 'status',
  summary: 'What the running house is doing',
  prints:
    'version and time of the start, where the house listens, its database, and a line for each room with its URL, what it counts and what is paused there.',
  arguments: Type.Object({}),
  answer: Type.Object({
    said: Type.String(),
    version: Type.String(),
    opened_at: Type.String(),
    listening: Type.String(),
    origin: Type.String({ description: 'what printed URLs begin with' }),
    practice: Type.Boolean(),
    database: Type.String(),
    rooms: Type.Record(
      Type.String(),
      Type.Object({
        url: Type.String(),
        counts: Type.Record(Type.String(), Type.Number()),
        paused: Type.Array(Type.String(), {
          description: 'what the operator has paused there, such as registration',
        }),
      }),
    ),
  }),
});

export const backup = command({
  room: 'house',
  verb: 'backup',
  summary:
    'Write a consistent copy of the SQLite database, and what belongs to it, while the house goes on',
  prints: 'a sentence for each copy: what was copied, and where to.',
  arguments: Type.Object({
    // Whoever gives the command and the house may stand in different folders.
    file: Type.String({
      minLength: 1,
      description: 'where the copy goes, and cards beside it as <file>.git; neither may exist yet',
      'x-argument': 'path',
    }),
  }),
  answer: Type.Object({ said: Type.String() }),
});
