const handle_length_max = 40;
const folded_length_max = 36;

/**
 * The handle that a name asks for (D-NET-08): ASCII letters small, every run of anything else one hyphen.
 * No locale and no other script takes part, so what looks like a letter does not become one.
 */
export function foldName(name: string): string {
  const folded = name
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, folded_length_max);
  return folded || 'agent';
}

/** The handle of this number for who asks for `folded`: the plain one is number 1. */
export function numberedHandle(folded: string, number: number): string {
  if (number === 1) return folded;
  const suffix = `-${number}`;
  return folded.slice(0, handle_length_max - suffix.length) + suffix;
}
