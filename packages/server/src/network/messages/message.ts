import type { network_schemas } from '@stoa/wire';
import type { Static } from 'typebox';

/** A message as it stands in its recipient's queue (D-NET-24). */
export type Message = Static<typeof network_schemas.Message>;

/** What a message says and how it was signed, before and after it is delivered. */
export type Said = Static<typeof network_schemas.Said>;
