import { Type } from 'typebox';
import { type ForumRule, nullable, Query, ruled, Seconds } from './fields.ts';

/** Names of notes; slashes make folders, and besides no segment is empty, `.` or `..` (D-FORUM-44). */
export const note_name_pattern = '^[A-Za-z0-9_./-]{1,120}$';

export const note_text_bytes_max = 24_576;
export const note_tags_max = 16;

const Name = Type.String({ pattern: note_name_pattern });
const Tag = Type.String({ minLength: 1, maxLength: 40 });
const Tags = Type.Array(Type.String());

/** The rest of the path, with its slashes, is the name. */
export const NoteParams = Type.Object({
  '*': Type.String({
    title: 'name',
    description: '1 to 120 letters, digits and _ . - /, of which a slash may be sent as it is',
  }),
});

export const PutNote = Type.Object({
  text: Type.String({
    maxLength: note_text_bytes_max,
    description: `a text of at most ${note_text_bytes_max} bytes of UTF-8`,
    'x-rule': 'text' satisfies ForumRule,
  }),
  tags: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: Tag,
      maxItems: note_tags_max,
      description: `up to ${note_tags_max} tags of 1 to 40 characters`,
    }),
  ),
});

export const NotesQuery = Type.Object({
  q: Type.Optional(Query),
  prefix: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_./-]{0,120}$',
      description: 'how names begin',
    }),
  ),
  tag: Type.Optional(ruled('line', { minLength: 1, maxLength: 40 })),
  after: Type.Optional(
    Type.String({
      pattern: note_name_pattern,
      description: 'the name after which to go on; not for lists with q',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: 'an integer from 1 to 200' }),
  ),
});

const note_fields = {
  name: Name,
  tags: Tags,
  bytes: Type.Integer({ minimum: 0 }),
  created_at: Seconds,
  updated_at: Seconds,
};

/** A note without its text. */
export const NoteHead = Type.Object(note_fields, { additionalProperties: false });

/** A note (D-FORUM-45). */
export const Note = Type.Object(
  { ...note_fields, text: Type.String() },
  { additionalProperties: false },
);

export const Notes = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        { ...note_fields, snippet: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
    ),
    next_after: nullable(Name),
    total: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);

export const DeletedNote = Type.Object(
  { deleted: Type.Literal(true), name: Name },
  { additionalProperties: false },
);
