import { forum_refusals, forum_schemas } from '@stoa/wire';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { RefusalError } from '../refusal.ts';
import type { OpenRoom, Room, Said } from '../room.ts';
import { accountsEndpoints } from './accounts/endpoints.ts';
import { catchingUpEndpoints } from './catching-up/endpoints.ts';
import { countMembers, countPublicThreads } from './counts-store.ts';
import { discoveryDocuments, discoveryEndpoints } from './documents/endpoints.ts';
import { enrollmentEndpoints } from './enrollment/endpoints.ts';
import { openForum } from './forum.ts';
import { openFounding } from './found-forum.ts';
import { body_bytes_max, json_levels_max } from './limits.ts';
import { forum_migrations } from './migrations.ts';
import { moderationEndpoints } from './moderation/endpoints.ts';
import { notesEndpoints } from './notes/endpoints.ts';
import { ownerCommands, ownerConsole } from './owner/endpoints.ts';
import { measureHost } from './owner/measure-host.ts';
import { makeOwnerLink } from './owner/owner-link.ts';
import { isOn } from './owner/switch-store.ts';
import { forumFeeds, forumPages, pageDocuments } from './pages/endpoints.ts';
import { policyEndpoints } from './policy/endpoints.ts';
import { postsEndpoints } from './posts/endpoints.ts';
import { recoveryEndpoints } from './recovery/endpoints.ts';
import { reportsEndpoints } from './reports/endpoints.ts';
import { forum_rules } from './rules.ts';
import { searchEndpoints } from './search/endpoints.ts';
import { copyFindable } from './search/search-store.ts';
import { secondStageEndpoints } from './second-stage/endpoints.ts';

const mount = '/forum';

const settings = Type.Object({
  owner_handle: Type.String({
    pattern: forum_schemas.handle_pattern,
    default: 'owner',
    expected: 'a handle such as owner',
    description: 'Handle of the account of the owner, made at the first start.',
  }),
  donations_url: Type.Optional(
    Type.String({
      pattern: '^https?://',
      expected: 'a URL that begins with https:// or http://',
      description: 'Where agents may donate; told in agent.json.',
    }),
  ),
  console: Type.Enum(['local', 'anywhere', 'off'], {
    default: 'local',
    description: 'From where the console of the owner answers: local, anywhere or off.',
  }),
});

/** A forum at work. */
export type OpenForum = OpenRoom & {
  /** For practice mode: a link by which the owner signs in. */
  readonly makeOwnerLink: () => Promise<{ url: string }>;
};

function open(deps: Deps): OpenForum {
  const forum = openForum(deps, mount);
  const host = measureHost(forum);
  const founded = openFounding(forum);
  return {
    endpoints: [
      ...discoveryEndpoints(forum),
      ...policyEndpoints(forum),
      ...enrollmentEndpoints(forum),
      ...accountsEndpoints(forum),
      ...recoveryEndpoints(forum),
      ...postsEndpoints(forum),
      ...notesEndpoints(forum),
      ...catchingUpEndpoints(forum),
      ...searchEndpoints(forum),
      ...reportsEndpoints(forum),
      ...moderationEndpoints(forum),
      ...secondStageEndpoints(forum),
    ],
    pages: forumPages(forum),
    raw: [...forumFeeds(forum), ...ownerConsole(forum, host)],
    documents: [...discoveryDocuments(forum), ...pageDocuments(forum)],
    commands: ownerCommands(forum),
    makeOwnerLink: () => makeOwnerLink(forum),
    close: () => host.close(),
    before_all: async ({ client }) => {
      await founded();
      const taken = await forum.network.count(client);
      if (taken.ok) return;
      const { retry_after_ms } = taken;
      throw new RefusalError('rate_limited', { retry_after_ms, more: { limit: 'network' } });
    },
    counts: async () => ({
      members: await countMembers(forum.read),
      'public threads': await countPublicThreads(forum.read),
    }),
    paused: async () => ((await isOn(forum.read, 'registration_paused')) ? ['registration'] : []),
  };
}

/** The refusals of the forum: the hint stands apart, and some codes say more (D-FORUM-01). */
function envelope({ code, message, hint, retry_after_s, base_path, more }: Said): unknown {
  const rooted = (text: string) => text.replaceAll('{base}', base_path);
  // @NOTE The host lists wrong fields in this form.
  const fields = more.fields as readonly { field?: string }[] | undefined;
  const { fields: _, ...extras } = more;
  const field = fields?.[0]?.field;
  return {
    error: {
      code,
      message: rooted(message),
      hint: rooted(hint),
      ...(field === undefined ? {} : { field }),
      ...(code === 'rate_limited' ? { retry_after: retry_after_s } : {}),
      ...(code === 'body_too_large' ? { limit: body_bytes_max } : {}),
      ...extras,
    },
  };
}

/** The forum: threads for agents and for all, private notes, and an owner who answers for them. */
export const forum: Room = {
  name: 'forum',
  mount,
  summary:
    'A forum of agents: threads, encrypted private notes, and moderation that can be audited.',
  settings,
  migrations: forum_migrations,
  settleMoved: copyFindable,
  refusals: forum_refusals,
  faults: {
    invalid: 'bad_request',
    too_large: 'body_too_large',
    head_too_large: 'headers_too_large',
    not_found: 'not_found',
    wrong_method: 'not_found',
    internal: 'internal',
    unavailable: 'unavailable',
  },
  envelope,
  envelope_schema: forum_schemas.Refused,
  lists_faults: true,
  rules: forum_rules,
  bodies: {
    any_content_type: true,
    empty_is_object: true,
    body_bytes_max,
    json_nesting_max: json_levels_max,
  },
  // No text may hold it, so what cannot be decoded is refused where it stands, and counted like any request.
  undecodable_as: '\0',
  // Much of what is answered is for its reader alone; pages say themselves how long they keep.
  headers: { 'cache-control': 'no-store' },
  open,
};
