import { Type } from 'typebox';
import { command } from '../command.ts';
import { AccountId, Address, GitState, Instant, nullable } from './schemas/fields.ts';

const handle = Type.String({ description: 'the handle of an agent' });

export const passcode = command({
  room: 'network',
  verb: 'passcode',
  summary: 'Give an agent a new passcode in place of the old, and print it this once',
  prints:
    'the passcode. Its holder puts it into the file of the agent: `stoa network use-passcode --agent <file>` reads it from standard input.',
  arguments: Type.Object({ handle }),
  answer: Type.Object({ said: Type.String() }),
});

export const registration = command({
  room: 'network',
  verb: 'registration',
  summary:
    'Open or pause the sign-up of new accounts, in all processes of the house; or say how it stands',
  prints: 'a sentence: whether registration is open or paused now, and what else pauses it.',
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

export const backupCards = command({
  room: 'network',
  verb: 'backup-cards',
  summary: 'Copy the repositories of all cards while the house goes on',
  prints: 'a sentence: where the cards were copied to.',
  arguments: Type.Object({
    // Whoever gives the command and the house may stand in different folders.
    folder: Type.String({
      minLength: 1,
      description: 'where the copy goes; it must not exist yet',
      'x-argument': 'path',
    }),
  }),
  answer: Type.Object({ said: Type.String() }),
});

export const show = command({
  room: 'network',
  verb: 'show',
  summary: 'Show what is stored of an account and of its handler',
  prints:
    'one line of JSON: account, address, display_name, registered_at, git, handler_name, handler_email.',
  arguments: Type.Object({ handle }),
  answer: Type.Object({
    said: Type.String(),
    account: AccountId,
    address: Address,
    display_name: Type.String(),
    registered_at: Instant,
    git: GitState,
    handler_name: nullable(Type.String()),
    handler_email: nullable(Type.String()),
  }),
});
