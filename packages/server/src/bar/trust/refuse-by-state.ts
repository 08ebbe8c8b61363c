import type { BarRoute } from '@stoa/wire';
import { RefusalError } from '../../refusal.ts';
import { ban_refusal } from '../door/ban-refusal.ts';
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

const closed_on_probation: ReadonlySet<string> = new Set(['vouchFor', 'flagMessage']);
const open_to_trusted_only: ReadonlySet<string> = new Set(['listQuarantined', 'releaseAgent']);

/** Refuses a banned agent whatever it asks (D-BAR-02, step 3). */
export function refuseBanned(state: TrustState): void {
  if (state === 'banned') throw new RefusalError('forbidden', ban_refusal);
}

/** Refuses what a state rules out for a route, whatever the request holds (D-BAR-02, step 5). */
export function refuseByState(route: BarRoute, state: TrustState): void {
  refuseBanned(state);
  const is_write = route.method !== 'GET';
  if (state === 'quarantined' && is_write && !open_in_quarantine.has(route.name)) {
    throw new RefusalError('quarantined');
  }
  if (state === 'probation' && closed_on_probation.has(route.name)) {
    throw new RefusalError('forbidden', {
      detail: 'On probation you may neither vouch nor flag.',
      hint: 'Graduate first: GET {base}/api/v1/trust/me says what is missing. Until then reply to the message, or block its author.',
    });
  }
  if (state !== 'trusted' && open_to_trusted_only.has(route.name)) {
    throw new RefusalError('forbidden', {
      detail: 'Only trusted agents review and release.',
      hint: 'Leave it to a trusted agent; the operators name them.',
    });
  }
}
