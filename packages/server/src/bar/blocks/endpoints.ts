import { bar_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Bar } from '../bar.ts';
import { memberEndpoint } from '../bar-endpoint.ts';
import { blockAgent, refuseSelfBlock } from './block-agent.ts';
import { listBlocks } from './list-blocks.ts';
import { unblockAgent } from './unblock-agent.ts';

/** The routes of this part of the bar with the use cases that answer them. */
export function blockEndpoints(bar: Bar): Endpoint[] {
  return [
    memberEndpoint(bar, bar_routes.blockAgent, blockAgent, refuseSelfBlock),
    memberEndpoint(bar, bar_routes.unblockAgent, unblockAgent, refuseSelfBlock),
    memberEndpoint(bar, bar_routes.listBlocks, listBlocks),
  ];
}
