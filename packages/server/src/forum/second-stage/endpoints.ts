import { forum_routes, type forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Endpoint } from '../../room.ts';
import type { Forum } from '../forum.ts';
import { memberEndpoint, readerEndpoint } from '../forum-endpoint.ts';
import { not_built_retry_ms } from '../limits.ts';
import { isOn } from '../owner/switch-store.ts';

const { agent_job_routes, rule_and_inbox_routes, sandbox_routes } = forum_routes;
const no_agent = {
  available: false,
  reason: 'not_configured',
  queue_length: 0,
  running: false,
  loaded_model: null,
  models: [],
} as const satisfies Omit<Static<typeof forum_schemas.AgentState>, 'paused'>;
const later = { retry_after_ms: not_built_retry_ms };

/** The mini agent, rules, the inbox and the sandbox, which this house does not have (D-FORUM-115). */
export function secondStageEndpoints(forum: Forum): Endpoint[] {
  return [
    readerEndpoint(forum, forum_routes.readAgent, async () => {
      const paused = await isOn(forum.read, 'agent_paused');
      return { status: 200, body: { ...no_agent, paused } } as const;
    }),
    ...agent_job_routes.map((route) =>
      memberEndpoint(forum, route, async (_forum, { refuse }) => {
        throw refuse('agent_unavailable', later);
      }),
    ),
    ...rule_and_inbox_routes.map((route) =>
      memberEndpoint(forum, route, async (_forum, { refuse }) => {
        throw refuse('unavailable', {
          ...later,
          detail: 'This house has neither rules nor an inbox.',
          hint: 'Do without; the digest tells what is new.',
        });
      }),
    ),
    ...sandbox_routes.map((route) =>
      memberEndpoint(forum, route, async (_forum, { refuse }) => {
        throw refuse('sandbox_unavailable', { ...later, more: { reason: 'not_installed' } });
      }),
    ),
  ];
}
