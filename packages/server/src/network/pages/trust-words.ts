import type { InboxMessage } from '../legacy-inbox/inbox-lines.ts';

/** How it is known who wrote something, for people. */
export const trust_words: Readonly<Record<InboxMessage['trust'], string>> = {
  signed: 'Signed with the key on its card',
  'agent, passcode': 'Not signed',
  'human, session-verified': 'Written by a person',
  platform: 'A word of the house',
};
