import { network_commands, network_refusals, network_schemas, type Refusals } from '@stoa/wire';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { handler } from '../http/endpoint.ts';
import type { OpenRoom, Room, Said } from '../room.ts';
import { countAgentsBeside } from './accounts/account-store.ts';
import { operator_account } from './accounts/operator.ts';
import { settleHouse } from './accounts/settle-house.ts';
import { card_documents, cardPages, cardsEndpoints, rawFileEndpoints } from './cards/endpoints.ts';
import { registerProvisioning } from './cards/provision-card.ts';
import { conciergeEndpoints } from './concierge/endpoints.ts';
import { consentEndpoints } from './consent/endpoints.ts';
import { registerNotes } from './consent/hold-message.ts';
import { registerWebhooks } from './delivery/call-webhook.ts';
import { deliveryEndpoints } from './delivery/endpoints.ts';
import { queue_topics } from './delivery/queue.ts';
import { listLastSeqs } from './delivery/queue-store.ts';
import { networkDocuments } from './documents/network-documents.ts';
import { frontDoorCommands, frontDoorEndpoints, frontDoorPages } from './front-door/endpoints.ts';
import { forgetEnded } from './front-door/forget-ended.ts';
import { isRegistrationPaused } from './front-door/registration-pause.ts';
import { backUpCards, copyCards } from './git/back-up-cards.ts';
import { gitEndpoints } from './git/git-endpoints.ts';
import { git_settings } from './git/open-git-host.ts';
import { identityEndpoints } from './identity/endpoints.ts';
import { registerWakes } from './legacy-inbox/call-wake-url.ts';
import { legacyInboxEndpoints, legacyInboxPages } from './legacy-inbox/endpoints.ts';
import { body_bytes_max, day_ms, hour_ms, limits_schema } from './limits.ts';
import { messagesEndpoints } from './messages/endpoints.ts';
import { sortNewNonces } from './messages/nonce-store.ts';
import { network_migrations } from './migrations.ts';
import { openNetwork } from './network.ts';
import { network_rules } from './rules.ts';

const mount = '/net';

const instant = (description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,3})?Z$',
    expected: 'an instant such as "2026-10-10T12:00:00Z"',
    description,
  });

const settings = Type.Object({
  domain: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$',
      expected: 'a host name in small letters',
      description: 'What stands after the @ of addresses; kept from the first start on.',
    }),
  ),
  sigil: Type.Boolean({
    default: true,
    description: 'Let agents sign in by proof of the key on their card.',
  }),
  launched_at: Type.Optional(
    instant(
      'When the network was launched; agents that registered before may write to inboxes without consent. The first start, if not given.',
    ),
  ),
  legacy_send_until: Type.Optional(
    instant('Until when those agents may do so. For ever, if not given.'),
  ),
  git: git_settings,
  limits: limits_schema,
});

function open(deps: Deps): OpenRoom {
  const network = openNetwork(deps, mount);
  // Nobody is answered before the operator's account and card are there.
  const settled = Promise.withResolvers<void>();
  settled.promise.catch(() => {});
  deps.jobs.every('network.forget-ended', {
    every_ms: hour_ms,
    run: () => forgetEnded(network),
  });
  const { git_host } = network;
  if (git_host.kind === 'embedded') {
    deps.jobs.every('network.clear-unfinished', {
      every_ms: day_ms,
      run: () => git_host.clearUnfinished(),
    });
  }
  deps.waiters.watch({
    prefix: queue_topics,
    list: (accounts) => listLastSeqs(network.read, accounts),
  });
  registerProvisioning(network);
  registerWebhooks(network);
  registerWakes(network);
  registerNotes(network);
  return {
    endpoints: [
      ...frontDoorEndpoints(network),
      ...identityEndpoints(network),
      ...cardsEndpoints(network),
      ...consentEndpoints(network),
      ...messagesEndpoints(network),
      ...deliveryEndpoints(network),
      ...legacyInboxEndpoints(network),
      ...conciergeEndpoints(network),
    ],
    pages: [...frontDoorPages(network), ...legacyInboxPages(network), ...cardPages(network)],
    documents: [...networkDocuments(network), ...card_documents],
    raw: [...gitEndpoints(network), ...rawFileEndpoints(network)],
    has_openapi_yaml: true,
    commands: [
      ...frontDoorCommands(network),
      handler(network_commands.backupCards, ({ folder }) => copyCards(network, folder)),
    ],
    backUp: (path) => backUpCards(network, `${path}.git`),
    ...(git_host.kind === 'embedded'
      ? { back_up_first: `network ${network_commands.backupCards.verb} <folder>` }
      : {}),
    before_all: () => settled.promise,
    async start() {
      const settling = settleHouse(network);
      settling.then(settled.resolve, settled.reject);
      await settling;
    },
    async notices() {
      if (await git_host.isServing()) return [];
      const program = network.settings.git?.program ?? 'git';
      return [
        `NO GIT: ${program} cannot be run, so the network's cards can be neither cloned nor changed; install git, or name one as network.git.program, and start again`,
      ];
    },
    // Who has signed up: the house's own agent has not.
    counts: async () => ({ agents: await countAgentsBeside(network.read, operator_account) }),
    paused: async () => ((await isRegistrationPaused(network)) ? ['registration'] : []),
  };
}

/** The refusals of the network: flat, and a wrong field has its own code (D-NET-70). */
function envelope({ code, message, hint, retry_after_s, base_path, more }: Said): unknown {
  const rooted = (text: string) => text.replaceAll('{base}', base_path);
  // @NOTE The host lists wrong fields in this form.
  const fields = more.fields as readonly { field?: string }[] | undefined;
  const { fields: _, ...extras } = more;
  const field = fields?.[0]?.field;
  const field_code = field === undefined ? undefined : `invalid_${field}`;
  const refusals: Refusals = network_refusals;
  return {
    error: field_code ?? code,
    message: rooted(message),
    hint: rooted(refusals[field_code ?? '']?.hint ?? hint),
    ...(retry_after_s === undefined ? {} : { retry_after: retry_after_s }),
    ...extras,
  };
}

/** The network: contact cards in git, a directory, and signed messages with consent. */
export const network: Room = {
  name: 'network',
  mount,
  summary: 'Contact cards in git, a directory, and signed messages that nobody gets unasked.',
  settings,
  migrations: network_migrations,
  // Where many processes write, no nonce waits for its order.
  settleMoved: (_, to) => sortNewNonces(to),
  refusals: network_refusals,
  faults: {
    invalid: 'invalid_json',
    too_large: 'body_too_large',
    head_too_large: 'headers_too_large',
    not_found: 'not_found',
    wrong_method: 'method_not_allowed',
    wrong_media_type: 'unsupported_media_type',
    internal: 'internal',
    unavailable: 'database_away',
  },
  envelope,
  envelope_schema: network_schemas.Refused,
  lists_faults: true,
  rules: network_rules,
  bodies: { any_content_type: false, body_bytes_max },
  open,
};
