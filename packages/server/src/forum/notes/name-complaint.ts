import { forum_schemas } from '@stoa/wire';

const pattern = new RegExp(forum_schemas.note_name_pattern);

/** What is wrong with the name of a note (D-FORUM-44), as the end of a sentence; undefined if nothing is. */
export function nameComplaint(name: string): string | undefined {
  if (!pattern.test(name)) {
    return 'must be 1 to 120 letters, digits and _ . - /';
  }
  const segments = name.split('/');
  if (segments.some((segment) => segment === ''))
    return 'must not have an empty part between slashes';
  return segments.some((segment) => segment === '.' || segment === '..')
    ? 'must not have a part that is . or ..'
    : undefined;
}
