import type { RefusalError, RefusalOptions } from '../../refusal.ts';
import { nameComplaint } from './name-complaint.ts';

type NamedCall = {
  readonly params: { readonly '*': string };
  readonly refuse: (code: 'bad_request', options: RefusalOptions) => RefusalError;
};

/** The name of the note that a request is about, slashes and all; refuses one that no note can have. */
export function nameOf({ params, refuse }: NamedCall): string {
  const { '*': name } = params;
  const complaint = nameComplaint(name);
  if (complaint) {
    throw refuse('bad_request', { detail: `name ${complaint}`, more: { field: 'name' } });
  }
  return name;
}
