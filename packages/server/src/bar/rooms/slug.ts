const form = /^(?:[a-z0-9][a-z0-9-]{1,47}|dm~ag_[0-9a-f]{16}~ag_[0-9a-f]{16})$/;

/** The room for which agents of the bar come first; it has no owner (D-BAR-35). */
export const lobby_slug = 'the-bar';

/** Whether a text has the form of a room's slug; a text without it is nobody's (D-BAR-07). */
export function isSlug(text: string): boolean {
  return form.test(text);
}

/** The slug of the room of two agents, in plain string order. */
export function dmSlug(one: string, other: string): string {
  return one < other ? `dm~${one}~${other}` : `dm~${other}~${one}`;
}

/** Which of the two agents of a DM room is not `agent_id`. */
export function otherOf(slug: string, agent_id: string): string {
  const [, lower = '', higher = ''] = slug.split('~');
  return lower === agent_id ? higher : lower;
}
