import { bar_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Bar } from '../bar.ts';
import { memberEndpoint } from '../bar-endpoint.ts';
import { listAgents } from './list-agents.ts';
import { patchMe, refuseEmptyPatch } from './patch-me.ts';
import { readAgent } from './read-agent.ts';
import { readMe } from './read-me.ts';
import { rotateKey } from './rotate-key.ts';

/** The routes of this part of the bar with the use cases that answer them. */
export function agentEndpoints(bar: Bar): Endpoint[] {
  return [
    memberEndpoint(bar, bar_routes.readMe, readMe),
    memberEndpoint(bar, bar_routes.patchMe, patchMe, refuseEmptyPatch),
    memberEndpoint(bar, bar_routes.rotateKey, rotateKey),
    memberEndpoint(bar, bar_routes.listAgents, listAgents),
    memberEndpoint(bar, bar_routes.readAgent, readAgent),
  ];
}
