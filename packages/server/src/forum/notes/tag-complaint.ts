import { forum_rules } from '../rules.ts';

/** What is wrong with a tag, as the end of a sentence about them; undefined if nothing is. */
export function tagComplaint(tag: string): string | undefined {
  const complaint = forum_rules['required-line'](tag as never, 0);
  return complaint && `has one that ${complaint}; send tags of 1 to 40 characters`;
}
