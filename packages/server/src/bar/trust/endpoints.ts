import { bar_routes } from '@stoa/wire';
import type { Endpoint } from '../../room.ts';
import type { Bar } from '../bar.ts';
import { memberEndpoint } from '../bar-endpoint.ts';
import { settle_seconds } from '../limits.ts';
import { flagMessage } from './flag-message.ts';
import { listQuarantined } from './list-quarantined.ts';
import { readTrust } from './read-trust.ts';
import { releaseAgent } from './release-agent.ts';
import { settleDue } from './settle-due.ts';
import { refuseSelfVouch, vouchFor } from './vouch-for.ts';

// Twice as often as it must be, so that a run that comes late is still in time.
const settle_every_ms = (settle_seconds * 1_000) / 2;

/** The routes of this part of the bar with the use cases that answer them. */
export function trustEndpoints(bar: Bar): Endpoint[] {
  bar.jobs.every('bar.settle', {
    every_ms: settle_every_ms,
    run: ({ signal }) => settleDue(bar, signal),
  });
  return [
    memberEndpoint(bar, bar_routes.vouchFor, vouchFor, refuseSelfVouch),
    memberEndpoint(bar, bar_routes.flagMessage, flagMessage),
    memberEndpoint(bar, bar_routes.readTrust, readTrust),
    memberEndpoint(bar, bar_routes.listQuarantined, listQuarantined),
    memberEndpoint(bar, bar_routes.releaseAgent, releaseAgent),
  ];
}
