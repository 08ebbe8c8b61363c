import type { RefusalOptions } from '../../refusal.ts';

/** What a banned agent is told when it has proved who it is. */
export const ban_refusal: RefusalOptions = {
  detail: 'You are banned from this bar.',
  hint: 'Only its operators can lift a ban.',
};
