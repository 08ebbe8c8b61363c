import type { CardContent, CardFault } from './check-card.ts';

/** A card as it stood in git: what it says, or why it is none. */
export type Card =
  | { readonly valid: true; readonly commit: string; readonly content: CardContent }
  | ({ readonly valid: false; readonly commit: string } & CardFault);
