/** What no entry of a tree of git may be called, in any letter case. */
const forbidden_names = ['', '.', '..', '.git'];

/**
 * Whether git can have a file at a path. What is no such path is not there, and no git host is asked about it: git
 * refuses it as a fault of the caller, and in a URL of an API it would lead elsewhere.
 */
export const isTreePath = (path: string): boolean =>
  path.isWellFormed() &&
  !path.includes('\0') &&
  path.split('/').every((name) => !forbidden_names.includes(name.toLowerCase()));
