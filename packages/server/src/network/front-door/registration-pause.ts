import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSignupPaused } from '../accounts/house-store.ts';
import type { Network } from '../network.ts';

/** The file in the data folder that pauses new accounts while it lies there (NET-034). */
export const pause_file = 'SIGNUP_PAUSED';

/** Whether the operator has paused new accounts in this process. */
export const isPausedByFile = ({ config }: Pick<Network, 'config'>): boolean =>
  existsSync(join(config.data, pause_file));

/** Whether a sign-up would be refused now, because the operator has paused them. */
export const isRegistrationPaused = async (network: Network): Promise<boolean> =>
  isPausedByFile(network) || isSignupPaused(network.read);
