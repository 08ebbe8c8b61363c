import type { network_schemas } from '@stoa/wire';
import type { Static } from 'typebox';

type Card = Static<typeof network_schemas.CardEntry>;

/** For so long the key of a card counts, as it does for the house itself. */
const fresh_ms = 5_000;
const kept_max = 1_000;

/** Answers the key that stands on the card of an address, read lately: null if none does. */
export type CardKeys = (address: string, signal?: AbortSignal) => Promise<string | null>;

/** The keys of senders' cards, each read once for messages that come together. */
export function openCardKeys(
  readCard: (address: string, signal?: AbortSignal) => Promise<Card | undefined>,
  now: () => number,
): CardKeys {
  const kept = new Map<string, { at: number; key: string | null }>();
  return async (address, signal) => {
    const known = kept.get(address);
    if (known && now() - known.at < fresh_ms) return known.key;
    const at = now();
    const card = await readCard(address, signal);
    const key = card?.valid ? card.keys.ed25519 : null;
    kept.delete(address);
    kept.set(address, { at, key });
    const [oldest] = kept.keys();
    if (kept.size > kept_max && oldest !== undefined) kept.delete(oldest);
    return key;
  };
}
