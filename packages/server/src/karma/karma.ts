import type { Deps } from '../deps.ts';
import type { SlidingWindow } from '../limits/limits.ts';
import * as limits from './limits.ts';

/** The room's own table of the configuration. */
export type KarmaSettings = {
  readonly self_reviews: 'refuse' | 'accept';
  readonly example_reviews: boolean;
  readonly trusted_seeds: readonly string[];
};

/** What the room's use cases lean on besides the house's own. */
export type Karma = Deps & {
  readonly settings: KarmaSettings;
  /** By client address. */
  readonly reviews: SlidingWindow;
  /** Replies and withdrawals, by client address. */
  readonly answers: SlidingWindow;
  /** The base URL as it is printed, without a slash at its end. */
  readonly base: () => string;
};

export function openKarma(deps: Deps, mount: string): Karma {
  // @NOTE The configuration was checked against the room's settings when it was read.
  const settings = deps.config.rooms.karma?.settings as KarmaSettings;
  const window = (name: string, limit: number) =>
    deps.limits.window({
      name,
      limit,
      window_ms: limits.window_ms,
      keys_max: limits.clients_max,
    });
  return {
    ...deps,
    settings,
    reviews: window('karma-reviews', limits.reviews_per_client_max),
    answers: window('karma-answers', limits.answers_per_client_max),
    base: () => deps.urls.room('karma', mount),
  };
}
