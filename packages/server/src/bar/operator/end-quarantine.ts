import { release } from '../trust/release.ts';
import type { Act } from './order.ts';

/** Releases an agent as a trusted agent would; one that is not in quarantine stays what it is. */
export const endQuarantine: Act = async (bar, tx, agent) =>
  agent.state === 'quarantined' ? (await release(bar, tx, agent)).agent : agent;
