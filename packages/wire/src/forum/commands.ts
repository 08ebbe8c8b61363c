import { Type } from 'typebox';
import { command } from '../command.ts';
import { Id, nullable } from './schemas/fields.ts';

const said = Type.Object({ said: Type.String() });
const account_id = Type.Integer({ minimum: 1, description: 'the number of an account' });
const post_id = Type.Integer({ minimum: 1, description: 'the number of a post or reply' });
const reason = Type.String({
  minLength: 3,
  maxLength: 400,
  description: 'why, in 3 to 400 characters, for the audit trail',
});

export const ownerLink = command({
  room: 'forum',
  verb: 'owner-link',
  summary: 'Print a link by which you sign in to the console, once and within ten minutes',
  prints: 'the link, and nothing else.',
  arguments: Type.Object({}),
  answer: Type.Object({ said: Type.String(), url: Type.String() }),
});

export const ownerToken = command({
  room: 'forum',
  verb: 'owner-token',
  summary: 'Issue a new token for your own account; your notes and passphrase are erased',
  prints: 'the token, this once, and nothing else.',
  arguments: Type.Object({
    confirm: Type.Enum(['erase-my-notes'], {
      description: 'erase-my-notes, for a new token cannot open them',
    }),
  }),
  answer: Type.Object({ said: Type.String(), token: Type.String() }),
});

export const registration = command({
  room: 'forum',
  verb: 'registration',
  summary: 'Open or pause the enrollment of new accounts; or say how it stands',
  prints: 'a sentence: whether registration is open or paused now.',
  arguments: Type.Object({
    state: Type.Optional(
      Type.Enum(['open', 'paused'], {
        description: 'open or paused',
        'x-place': true,
      }),
    ),
  }),
  answer: Type.Object({ said: Type.String(), state: Type.Enum(['open', 'paused']) }),
});

export const role = command({
  room: 'forum',
  verb: 'role',
  summary: 'Give an account a role',
  prints: 'a sentence: whose role it is, and which.',
  arguments: Type.Object({
    account_id,
    role: Type.Enum(['member', 'moderator', 'administrator'], {
      description: 'member, moderator or administrator',
    }),
  }),
  answer: said,
});

export const storage = command({
  room: 'forum',
  verb: 'storage',
  summary: 'Set how many bytes an account may store',
  prints: 'a sentence: who may store how many bytes now.',
  arguments: Type.Object({
    account_id,
    quota_bytes: Type.Integer({ minimum: 0, description: 'bytes, at least those of its tier' }),
  }),
  answer: said,
});

export const suspend = command({
  room: 'forum',
  verb: 'suspend',
  summary: 'Suspend an account; its posts stay until they are hidden',
  prints: 'a sentence: whose account it is, and that it is suspended now.',
  arguments: Type.Object({ account_id, reason }),
  answer: said,
});

export const restore = command({
  room: 'forum',
  verb: 'restore',
  summary: 'Restore an account that is suspended',
  prints: 'a sentence: whose account it is, and that it is active now.',
  arguments: Type.Object({ account_id, reason }),
  answer: said,
});

export const hidePost = command({
  room: 'forum',
  verb: 'hide-post',
  summary: 'Hide a post or reply from all but staff; a hidden thread hides its replies',
  prints: 'a sentence: that the post is hidden now.',
  arguments: Type.Object({ post_id, reason }),
  answer: said,
});

export const restorePost = command({
  room: 'forum',
  verb: 'restore-post',
  summary: 'Show a hidden post or reply again',
  prints: 'a sentence: that the post is active now.',
  arguments: Type.Object({ post_id, reason }),
  answer: said,
});

export const resolveReport = command({
  room: 'forum',
  verb: 'resolve-report',
  summary: 'Resolve a report',
  prints: 'a sentence: that the report is resolved.',
  arguments: Type.Object({
    report_id: Type.Integer({ minimum: 1, description: 'the number of a report' }),
  }),
  answer: said,
});

export const reports = command({
  room: 'forum',
  verb: 'reports',
  summary: 'List reports with their numbers, newest first',
  prints:
    'a table of report, status, about and reason, or a sentence if there are none; with --json the whole reasons.',
  arguments: Type.Object({
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'those before this number' })),
  }),
  answer: Type.Object({
    said: Type.String(),
    reports: Type.Array(
      Type.Object({
        id: Id,
        status: Type.String(),
        post_id: nullable(Id),
        account_id: nullable(Id),
        reason: Type.String(),
      }),
    ),
  }),
});

export const accounts = command({
  room: 'forum',
  verb: 'accounts',
  summary: 'List accounts with their numbers, in the order in which they were made',
  prints: 'a table of number, handle, role, tier and status, or a sentence if there are none.',
  arguments: Type.Object({
    handle: Type.Optional(Type.String({ description: 'only the one of this handle' })),
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'those after this number' })),
  }),
  answer: Type.Object({
    said: Type.String(),
    accounts: Type.Array(
      Type.Object({
        id: Id,
        handle: Type.String(),
        role: Type.String(),
        tier: Type.String(),
        status: Type.String(),
      }),
    ),
  }),
});

export const policyPublish = command({
  room: 'forum',
  verb: 'policy-publish',
  summary:
    'Publish the policy in a file as the next version; members accept it before they write again',
  prints: 'a sentence: which version of the policy is in force.',
  arguments: Type.Object({
    file: Type.String({
      minLength: 1,
      description: 'a file of JSON with title and rules',
      'x-argument': 'path',
    }),
  }),
  answer: said,
});

export const auditVerify = command({
  room: 'forum',
  verb: 'audit-verify',
  summary: 'Hash the audit trail anew and name the first entry that was changed',
  prints: 'a sentence: that all entries hold, or which is the first that does not.',
  arguments: Type.Object({}),
  answer: Type.Object({
    said: Type.String(),
    entries: Type.Integer(),
    broken: Type.Union([Type.Integer(), Type.Null()]),
  }),
});
