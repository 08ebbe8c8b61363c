import type { Static } from 'typebox';
import type { Deps } from '../deps.ts';
import type { Places, SlidingWindow } from '../limits/limits.ts';
import type { RowBuffer } from '../storage/row-buffer.ts';
import { type Accounts, openAccounts } from './accounts/accounts.ts';
import { chooseDomain } from './accounts/choose-domain.ts';
import { type CardCache, openCardCache } from './cards/card-cache.ts';
import { type DirectoryCache, openDirectoryCache } from './cards/directory-cache.ts';
import { openRelations, type Relations } from './consent/relations.ts';
import { type CallsOwed, openCallsOwed } from './delivery/calls-owed.ts';
import { openWaits } from './delivery/hold.ts';
import { type git_settings, openGitHost } from './git/open-git-host.ts';
import { openSigilKeys, type SigilKeys } from './identity/sigil-keys.ts';
import { forgers_kept_max, type limits_schema, minute_ms, sigil_refusals } from './limits.ts';
import { insertMessages, type MessageRow } from './messages/message-store.ts';
import { type Nonces, openNonces } from './messages/nonces.ts';
import { type Places as MessagePlaces, openPlaces } from './messages/places.ts';
import { openTallies, type Tallies } from './messages/tally.ts';
import { openThreads, type Threads } from './messages/threads.ts';

/** The room's own table of the configuration. */
export type NetworkSettings = {
  readonly domain?: string;
  readonly sigil: boolean;
  readonly launched_at?: string;
  readonly legacy_send_until?: string;
  readonly limits: Static<typeof limits_schema>;
  /** Not given: the house's own git host. */
  readonly git?: Static<typeof git_settings>;
};

/** What the room's use cases lean on besides the house's own. */
export type Network = Deps & {
  readonly settings: NetworkSettings;
  /** What stands after the `@` (D-NET-02). */
  readonly domain: string;
  /** The base URL as it is printed, without a slash at its end. */
  readonly base: () => string;
  readonly accounts: Accounts;
  readonly relations: Relations;
  readonly tallies: Tallies;
  /** Where messages go. */
  readonly places: MessagePlaces;
  readonly nonces: Nonces;
  readonly sigil_keys: SigilKeys;
  /** Whose webhook is called, and who is woken. */
  readonly calls: CallsOwed;
  readonly threads: Threads;
  /** The messages of a batch. */
  readonly new_messages: RowBuffer<MessageRow>;
  /** When the house was first opened; known from the start on. */
  readonly opening: { at: number };
  /** Refused attempts at Sigil of each client address. */
  readonly sigil_refusals: SlidingWindow;
  /** Signatures of each sender that did not verify. */
  readonly bad_signatures: SlidingWindow;
  /** Where the repositories of cards lie. */
  readonly git_host: ReturnType<typeof openGitHost>;
  readonly cards: CardCache;
  readonly directory: DirectoryCache;
  /** Places for waits and streams, by account. */
  readonly waits: Places;
};

/** Opens what the network keeps in memory. */
export function openNetwork(deps: Deps, mount: string): Network {
  const { config, urls } = deps;
  // @NOTE The configuration was checked against the room's settings when it was read.
  const settings = config.rooms.network?.settings as NetworkSettings;
  const cards = openCardCache(deps.clock);
  return {
    ...deps,
    settings,
    domain: chooseDomain({
      domain: settings.domain,
      hosts: config.hosts.network ?? [],
      public_url: config.public_url,
    }),
    base: () => urls.room('network', mount),
    accounts: openAccounts(deps),
    relations: openRelations(deps),
    tallies: openTallies(deps),
    places: openPlaces(deps),
    threads: openThreads(deps),
    nonces: openNonces(deps),
    sigil_keys: openSigilKeys(deps),
    calls: openCallsOwed(deps),
    new_messages: deps.rowBuffer(insertMessages),
    opening: { at: 0 },
    sigil_refusals: deps.limits.window({ name: 'net-sigil-refusals', ...sigil_refusals }),
    bad_signatures: deps.limits.window({
      name: 'net-bad-signatures',
      limit: settings.limits.bad_signatures_per_minute_max,
      window_ms: minute_ms,
      keys_max: forgers_kept_max,
    }),
    git_host: openGitHost(deps, settings.git),
    cards,
    directory: openDirectoryCache(deps.clock, cards),
    waits: openWaits(deps),
  };
}

/** The address of a handle. */
export const addressOf = ({ domain }: Pick<Network, 'domain'>, handle: string): string =>
  `${handle}@${domain}`;

/** Where the card of a handle stands. */
export const cardUrl = ({ base }: Network, handle: string): string =>
  `${base()}/${handle}/.profile`;
