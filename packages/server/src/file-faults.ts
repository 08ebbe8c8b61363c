import { dirname } from 'node:path';

const read_faults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'the user who runs the house may not read it; let it',
  EPERM: 'the user who runs the house may not read it; let it',
};

/** What keeps the house from reading a file that its operator named, as the end of a sentence. */
export function readFault(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return read_faults[code] ?? message;
}

/**
 * What keeps the house from writing to `path`, as the end of a sentence for its operator, and what to do. An
 * error that is not the file system's says itself what it is.
 */
export function writeFault(error: unknown, path: string): string {
  const { code, message, ...named } = error as NodeJS.ErrnoException & { dest?: string };
  const at = named.dest ?? named.path ?? path;
  switch (code) {
    case 'EEXIST':
    case 'ENOTEMPTY':
      return `${at} exists already; name another, or move it away first`;
    case 'ENOENT':
      return `there is no folder ${dirname(at)}; make it first, or name another`;
    case 'ENOTDIR':
      return `${dirname(at)} is no folder; name another place`;
    case 'EISDIR':
      return `${at} is a folder; name a file in it`;
    case 'EACCES':
    case 'EPERM':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
      return `the user who runs the house may not write to ${at}; let it, or name another place`;
    case 'EROFS':
      return `nothing can be written to ${at}, whose disk is read-only; name another place`;
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return `there is no room left on the disk of ${at}; make some, or name another place`;
    case 'ENAMETOOLONG':
      return `${at} is too long for a name; name it shorter`;
    default:
      return message;
  }
}
