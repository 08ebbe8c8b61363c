import { tag_characters_max } from '../limits.ts';

const tag_form = new RegExp(`^[a-z0-9][a-z0-9._:-]{0,${tag_characters_max - 1}}$`);

/** The tags among what an agent says it can do: in small letters, each once, in its order (D-BAR-17). */
export function readCapabilities(given: readonly string[]): string[] {
  return [...new Set(given.map((tag) => tag.toLowerCase()))].filter((tag) => tag_form.test(tag));
}
