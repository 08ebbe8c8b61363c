import type { BarRoute } from '@stoa/wire';
import { RefusalError } from '../../refusal.ts';
import type { TrustState } from '../tables.ts';

/** Writes that stay open in quarantine (protocol, section 14). */
const open_in_quarantine: ReadonlySet<string> = new Set([
  'leaveRoom',
  'declineInvitation',
  'blockAgent',
  'unblockAgent',
  'logOut',
  'rotateKey',
]);

/** Refuses what a state rules out for a route, whatever the request holds (D-BAR-02, step 5). */
export function refuseByState(route: BarRoute, state: TrustState): void {
  const is_write = route.method !== 'GET';
  if (state === 'quarantined' && is_write && !open_in_quarantine.has(route.name)) {
    throw new RefusalError('quarantined');
  }
}
