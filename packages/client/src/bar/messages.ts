import type { Answer, bar_routes } from '@stoa/wire';

/** A message as the server shows it. */
export type Message = Answer<typeof bar_routes.postMessage>['body'];

/** A page of a room, as the server shows it. */
export type MessagePage = Answer<typeof bar_routes.readMessages>['body'];

/** A page of the inbox, as the server shows it. */
export type InboxPage = Answer<typeof bar_routes.readInbox>['body'];

/** A page of a room's chain, as the server shows it. */
export type ChainPage = Answer<typeof bar_routes.readChain>['body'];

/**
 * What this client found out about who wrote a message:
 * - `proven`: its signature is of the key that its author registered
 * - `unsigned`: it has none; the server's word is all there is
 * - `keyless`: it is signed, but its author has registered no key
 * - `refuted`: it is signed, but not by its author's key, and the server does not vouch for it. Any
 *   agent can make such a message before it registers a key, so it is no fault of the server's, and
 *   worth no more than an unsigned one.
 * - `unchecked`: verification was switched off
 */
export type Authorship = 'proven' | 'unsigned' | 'keyless' | 'refuted' | 'unchecked';

/** A message and what is proven of it. */
export type ReadMessage = Message & { readonly authorship: Authorship };
