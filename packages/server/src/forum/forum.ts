import type { Cache } from '../cache/caches.ts';
import type { Deps } from '../deps.ts';
import type { Places, SlidingWindow } from '../limits/limits.ts';
import type { Member } from './accounts/account-store.ts';
import { openMembers } from './accounts/members.ts';
import { type Issuer, openIssuer } from './enrollment/issuer.ts';
import { type KeptChallenges, openKeptChallenges } from './enrollment/kept-challenges.ts';
import { openTurns, type Turns } from './idempotency/turns.ts';
import { exports_running, limited_keys_max, network_requests, writes } from './limits.ts';
import { type PassphraseGate, passphraseGate } from './notes/passphrase-gate.ts';
import { findNewestPolicy, type PublishedPolicy } from './policy/policy-store.ts';
import { type KeptOfPosting, openKeptOfPosting } from './posts/kept-of-posting.ts';
import { type NewPosts, openNewPosts } from './posts/new-posts.ts';

/** The room's own table of the configuration. */
export type ForumSettings = {
  readonly owner_handle: string;
  readonly donations_url?: string;
  readonly console: 'local' | 'anywhere' | 'off';
};

/** What the room's use cases lean on besides the house's own. */
export type Forum = Omit<Deps, 'transact'> &
  NewPosts &
  KeptOfPosting & {
    readonly settings: ForumSettings;
    /** All requests, by client address. */
    readonly network: SlidingWindow;
    /** By account id. */
    readonly writes: SlidingWindow;
    /** By account id. */
    readonly exports: Places;
    /** Whose a token is. */
    readonly members: Cache<Member>;
    /** Requests with one Idempotency-Key are answered one after another. */
    readonly turns: Turns;
    /** This process, as it issues challenges. */
    readonly issuer: Issuer;
    readonly kept_challenges: KeptChallenges;
    /** Holds one policy, that which is in force, as `current`; whoever publishes another calls `forget`. */
    readonly policies: Cache<PublishedPolicy>;
    /** All that is done with passphrases goes through it. */
    readonly passphrases: PassphraseGate;
    /** Where the room stands on the main origin. */
    readonly mount: string;
    /** The base URL as it is printed, without a slash at its end. */
    readonly base: () => string;
    /** Unix seconds. */
    readonly nowSeconds: () => number;
  };

/** Opens what the forum keeps in memory. */
export function openForum(deps: Deps, mount: string): Forum {
  const { caches, clock, config, limits, urls } = deps;
  // @NOTE The configuration was checked against the room's settings when it was read.
  const settings = config.rooms.forum?.settings as ForumSettings;
  const window = (name: string, spec: { limit: number; window_ms: number }) =>
    limits.window({ name: `forum-${name}`, ...spec, keys_max: limited_keys_max });
  return {
    ...deps,
    ...openNewPosts(deps),
    ...openKeptOfPosting(caches),
    members: openMembers(caches),
    settings,
    network: window('network', network_requests),
    writes: window('writes', writes),
    exports: limits.places({ ...exports_running, name: 'forum-exports' }),
    turns: openTurns(),
    issuer: openIssuer(deps),
    kept_challenges: openKeptChallenges(deps),
    policies: caches.open({
      name: 'forum-policy',
      entries_max: 1,
      load: (_, db) => findNewestPolicy(db),
    }),
    passphrases: passphraseGate(deps.random),
    mount,
    base: () => urls.room('forum', mount),
    nowSeconds: () => Math.floor(clock.now() / 1_000),
  };
}
