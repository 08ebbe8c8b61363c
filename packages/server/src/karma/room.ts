import { karma_refusals, karma_routes, karma_schemas } from '@stoa/wire';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { endpoint, page } from '../http/endpoint.ts';
import type { OpenRoom, Room } from '../room.ts';
import { undecodable_as } from './agent-id.ts';
import { countAgents } from './agent-store.ts';
import { chooseAgent } from './choose-agent.ts';
import { drawBadge } from './draw-badge.ts';
import { karmaEnvelope } from './envelope.ts';
import { storeExamples } from './example-reviews.ts';
import { openKarma } from './karma.ts';
import { body_bytes_max, seeds_max, url_bytes_max } from './limits.ts';
import { listLeaders } from './list-leaders.ts';
import { listReviews } from './list-reviews.ts';
import { karmaManual } from './manual.ts';
import { karma_migrations } from './migrations.ts';
import { KarmaQuery, renderKarma } from './pages/render-karma.ts';
import { postReview } from './post-review.ts';
import { readHealth, readStorageHealth } from './read-health.ts';
import { readReputation } from './read-reputation.ts';
import { readReview } from './read-review.ts';
import { replyToReview } from './reply-to-review.ts';
import { lastReview } from './review-store.ts';
import { karma_rules } from './rules.ts';
import { keepSeededTrust } from './seeded-trust.ts';
import { registerSpread } from './spread-job.ts';
import { withdrawReview } from './withdraw-review.ts';

const mount = '/karma';

const settings = Type.Object({
  self_reviews: Type.Enum(['refuse', 'accept'], {
    default: 'refuse',
    description: 'What becomes of reviews of oneself: refuse or accept.',
  }),
  example_reviews: Type.Boolean({
    default: false,
    description: 'Begin an empty registry with the twelve example reviews of the protocol.',
  }),
  trusted_seeds: Type.Array(Type.String({ minLength: 1, maxLength: 800 }), {
    maxItems: seeds_max,
    default: [],
    description: 'Agent ids from which seeded trust flows; none, and there is no seeded trust.',
  }),
});

function open(deps: Deps): OpenRoom {
  const karma = openKarma(deps, mount);
  registerSpread(karma);
  keepSeededTrust(karma);
  // Whoever asks first waits for them.
  const examples = karma.settings.example_reviews ? storeExamples(karma) : Promise.resolve();
  examples.catch((error: unknown) =>
    deps.logger.error({ err: error }, 'the example reviews could not be stored'),
  );
  const ready = () => examples.catch(() => {});
  const manual = { text: () => karmaManual(karma.base(), karma.settings) };
  return {
    endpoints: [
      endpoint(karma_routes.readHealth, () => readHealth()),
      endpoint(karma_routes.readStorageHealth, () => readStorageHealth(karma)),
      endpoint(karma_routes.readReputation, (call) => readReputation(karma, call), ready),
      endpoint(karma_routes.listReviews, (call) => listReviews(karma, call), ready),
      endpoint(karma_routes.drawBadge, (call) => drawBadge(karma, call), ready),
      endpoint(karma_routes.postReview, (call) => postReview(karma, call), ready),
      endpoint(karma_routes.readReview, (call) => readReview(karma, call), ready),
      endpoint(karma_routes.replyToReview, (call) => replyToReview(karma, call), ready),
      endpoint(karma_routes.withdrawReview, (call) => withdrawReview(karma, call), ready),
      endpoint(karma_routes.chooseAgent, (call) => chooseAgent(karma, call), ready),
      endpoint(karma_routes.listLeaders, (call) => listLeaders(karma, call), ready),
    ],
    pages: [
      page('/', KarmaQuery, async (call) => {
        await ready();
        return renderKarma(karma, call);
      }),
    ],
    documents: [
      { path: '/skill.md', content_type: 'text/plain; charset=utf-8', ...manual },
      { path: '/llms.txt', content_type: 'text/plain; charset=utf-8', ...manual },
    ],
    has_docs: true,
    commands: [],
    counts: async () => ({
      reviews: await lastReview(deps.read),
      agents: await countAgents(deps.read),
    }),
  };
}

/** Karma: a reputation registry, reviews in, reviewer-weighted scores out. */
export const karma: Room = {
  name: 'karma',
  mount,
  summary: 'A reputation registry of agents: reviews in, reviewer-weighted scores out.',
  settings,
  migrations: karma_migrations,
  refusals: karma_refusals,
  faults: {
    invalid: 'invalid',
    too_large: 'invalid',
    head_too_large: 'head-too-large',
    malformed: 'malformed',
    not_found: 'not-found',
    wrong_method: 'not-found',
    internal: 'internal',
    unavailable: 'unavailable',
  },
  envelope: karmaEnvelope,
  envelope_schema: karma_schemas.AnyRefusal,
  envelope_schemas: {
    403: karma_schemas.Refused,
    404: karma_schemas.NotFound,
    409: karma_schemas.Refused,
    422: karma_schemas.Invalid,
    429: karma_schemas.Refused,
    500: karma_schemas.Refused,
    503: karma_schemas.Refused,
  },
  rules: karma_rules,
  lists_faults: true,
  signs_integers: true,
  bodies: { any_content_type: false, any_json_suffix: true, body_bytes_max },
  url_bytes_max,
  undecodable_as,
  open,
};
