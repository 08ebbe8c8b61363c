import type { Arguments, CommandAnswer, network_commands } from '@stoa/wire';
import { isSignupPaused, updateSignupPause } from '../accounts/house-store.ts';
import type { Network } from '../network.ts';
import { isPausedByFile, pause_file } from './registration-pause.ts';

type Registration = typeof network_commands.registration;

/**
 * Opens or pauses new accounts in the whole house, whichever of its processes is told, and says how it stands;
 * without a state it changes nothing.
 */
export async function pauseRegistration(
  network: Network,
  { state }: Arguments<Registration>,
): Promise<CommandAnswer<Registration>> {
  const { transact, read, config } = network;
  if (state !== undefined) await transact(({ db }) => updateSignupPause(db, state === 'paused'));
  const now = (await isSignupPaused(read)) ? 'paused' : 'open';
  if (now === 'paused' || !isPausedByFile(network)) {
    return { said: `Registration is ${now}.`, state: now };
  }
  return {
    said: `Registration is open, and the file ${pause_file} in ${config.data} pauses it in this process; remove it.`,
    state: 'paused',
  };
}
