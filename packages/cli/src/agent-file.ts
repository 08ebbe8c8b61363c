import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import type { NetworkCredentials } from '@stoa/client';

/** What an agent keeps: where its network is, what proves it, and the key that it signs with. */
export type AgentFile = NetworkCredentials & {
  readonly base_url: string;
  /** 32 bytes in hexadecimal digits. */
  readonly seed: string;
};

const owner_only = 0o600;

const write_faults: Readonly<Record<string, string>> = {
  EEXIST: 'is there already; name another file with --agent',
  ENOENT:
    'cannot be written, as its folder does not exist; make that, or name another with --agent',
  ENOTDIR: 'cannot be written, as it lies in no folder; name another file with --agent',
  EISDIR: 'is a folder; name a file with --agent',
  EACCES: 'may not be written by you; name another file with --agent',
  EPERM: 'may not be written by you; name another file with --agent',
  EROFS: 'lies on a disk that is read-only; name another file with --agent',
  ENOSPC: 'cannot be written, as the disk is full; make room on it',
  EDQUOT: 'cannot be written, as the disk is full; make room on it',
};

/** Writes a file; throws with a sentence for who gave the command. */
function write(path: string, text: string, options: { mode?: number; flag?: string } = {}): void {
  try {
    writeFileSync(path, text, options);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`${path} ${write_faults[code] ?? `cannot be written: ${message}`}`);
  }
}

const writeAgent = (path: string, agent: AgentFile): void =>
  write(path, `${JSON.stringify(agent, null, 2)}\n`);

/** Reads the file of an agent; throws with a sentence for who gave the command. */
export function readAgentFile(path: string): AgentFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`${path} cannot be read; sign up first, or name the file with --agent`);
  }
  const is_text = (value: unknown) => typeof value === 'string';
  try {
    const { base_url, handle, address, passcode, seed } = JSON.parse(text);
    if ([base_url, handle, address, passcode, seed].every(is_text) && /^[0-9a-f]{64}$/.test(seed)) {
      return { base_url, handle, address, passcode, seed };
    }
  } catch {
    // Falls through to the one answer for what is no such file.
  }
  throw new Error(`${path} is not a file that \`stoa network sign-up\` has written`);
}

/**
 * Puts a new passcode into the file of an agent, and the old one back if `proves`, which calls with the new
 * one, rejects.
 */
export async function replacePasscode(
  path: string,
  passcode: string,
  proves: () => Promise<void>,
): Promise<void> {
  const before = readAgentFile(path);
  writeAgent(path, { ...before, passcode });
  try {
    await proves();
  } catch (error) {
    writeAgent(path, before);
    throw error;
  }
}

/**
 * Writes the file of a new agent, for its owner's eyes alone, and never over another: its place is taken
 * before `signUp` is called, for what that answers is shown once.
 */
export async function writeAgentFile(
  path: string,
  signUp: () => Promise<AgentFile>,
): Promise<AgentFile> {
  write(path, '', { mode: owner_only, flag: 'wx' });
  try {
    const agent = await signUp();
    writeAgent(path, agent);
    return agent;
  } catch (error) {
    unlinkSync(path);
    throw error;
  }
}
