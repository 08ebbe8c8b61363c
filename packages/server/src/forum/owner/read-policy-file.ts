import { readFileSync, statSync } from 'node:fs';
import { readFault } from '../../file-faults.ts';
import { RefusalError } from '../../refusal.ts';
import { policy_text_bytes_max } from '../limits.ts';

/** The text of a file that the operator names. */
export function readPolicyFile(file: string): string {
  try {
    // What is longer is refused by its beginning too, and is not read.
    if (statSync(file).size <= policy_text_bytes_max) return readFileSync(file, 'utf8');
  } catch (error) {
    const detail = `${file} could not be read: ${readFault(error)}`;
    throw new RefusalError('bad_request', { detail });
  }
  const detail = `${file} is longer than ${policy_text_bytes_max} bytes`;
  throw new RefusalError('bad_request', { detail });
}
