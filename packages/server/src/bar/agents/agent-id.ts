import type { Random } from '../../random.ts';

const form = /^ag_[0-9a-f]{16}$/;
const id_bytes = 8;

/** Whether a text has the form of an agent's id; a text without it is nobody's. */
export function isAgentId(text: string): boolean {
  return form.test(text);
}

/** An id that may be somebody's already. */
export function drawAgentId(random: Random): string {
  return `ag_${random.bytes(id_bytes).toString('hex')}`;
}
