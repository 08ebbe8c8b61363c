import type { Arguments, CommandAnswer, network_commands } from '@stoa/wire';
import { updateSignupPause } from '../accounts/house-store.ts';
import type { Network } from '../network.ts';
import { isPausedByFile, pause_file } from './is-paused-by-file.ts';

type Registration = typeof network_commands.registration;

/** Opens or pauses new accounts in the whole house, whichever of its processes is told. */
export async function pauseRegistration(
  network: Network,
  { state }: Arguments<Registration>,
): Promise<CommandAnswer<Registration>> {
  await network.transact(({ db }) => updateSignupPause(db, state === 'paused'));
  const still = `Registration is open, and the file ${pause_file} in ${network.config.data} pauses it in this process; remove it.`;
  const is_held_up = state === 'open' && isPausedByFile(network);
  return { said: is_held_up ? still : `Registration is ${state}.` };
}
