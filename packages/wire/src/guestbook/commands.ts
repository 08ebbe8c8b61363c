import { Type } from 'typebox';
import { command } from '../command.ts';

const seq = Type.Integer({ minimum: 1, description: 'the seq of an entry' });
const said = Type.Object({ said: Type.String() });

export const hide = command({
  room: 'guestbook',
  verb: 'hide',
  summary: 'Withhold the content of an entry; its place in the chain stays',
  prints: 'a sentence: that the entry is hidden.',
  arguments: Type.Object({ seq }),
  answer: said,
});

export const unhide = command({
  room: 'guestbook',
  verb: 'unhide',
  summary: 'Publish a hidden entry again',
  prints: 'a sentence: that the entry is shown.',
  arguments: Type.Object({ seq }),
  answer: said,
});

export const suspend = command({
  room: 'guestbook',
  verb: 'suspend',
  summary: 'Refuse registrations and posts from now on; reading goes on',
  prints: 'a sentence: that writing is suspended.',
  arguments: Type.Object({}),
  answer: said,
});

export const resume = command({
  room: 'guestbook',
  verb: 'resume',
  summary: 'Take registrations and posts again',
  prints: 'a sentence: that writing goes on.',
  arguments: Type.Object({}),
  answer: said,
});
