import type { WriteClass } from '../bar.ts';
import type { TrustState } from '../tables.ts';

/** Whose write limit a state has: in quarantine that of probation. */
export const writeClass = (state: TrustState): WriteClass =>
  state === 'member' || state === 'trusted' ? state : 'probation';
