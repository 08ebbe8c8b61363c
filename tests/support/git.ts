import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from './network-api.ts';
import type { TestHouse } from './open-house.ts';
import type { Server } from './serve.ts';

export type GitResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs the system's git as a user's machine would, without any settings of this one. */
export function git(folder: string, ...args: readonly string[]): Promise<GitResult> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Tester',
    GIT_AUTHOR_EMAIL: 'tester@example.org',
    GIT_COMMITTER_NAME: 'Tester',
    GIT_COMMITTER_EMAIL: 'tester@example.org',
  };
  return new Promise((resolve) => {
    const options = { cwd: folder, env, maxBuffer: 67_108_864 };
    execFile(
      'git',
      ['-c', 'init.defaultBranch=main', ...args],
      options,
      (error, stdout, stderr) => {
        const code = error ? Number(error.code ?? -1) : 0;
        resolve({ code, stdout, stderr });
      },
    );
  });
}

/** As `git`, of which nothing but success will do; answers its output. */
export async function gitOk(folder: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await git(folder, ...args);
  assert.equal(code, 0, `git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** A house of this process, or one that is a process of its own. */
type AnyHouse = Pick<TestHouse, 'house'> | Pick<Server, 'base'>;

/** The address of an agent's repository, with the credential to push if it is given. */
export function repositoryUrl(
  house: AnyHouse,
  handle: string,
  credential?: Pick<Agent, 'handle' | 'passcode'>,
): string {
  const net = 'base' in house ? `${house.base}/net` : house.house.rooms.network;
  const url = new URL(`${net}/${handle}/.profile`);
  if (credential) {
    url.username = credential.handle;
    url.password = credential.passcode;
  }
  return String(url);
}

export type WorkTree = {
  readonly path: string;
  /** Writes files, given as text, bytes, or an object for JSON, and commits all that has changed. */
  commit(files: Readonly<Record<string, unknown>>): Promise<void>;
  push(...args: readonly string[]): Promise<GitResult>;
  pushOk(...args: readonly string[]): Promise<void>;
};

/** A clone of an agent's repository, or without one an empty work tree that pushes to it. */
export async function workTree(
  house: AnyHouse,
  folder: string,
  agent: Pick<Agent, 'handle' | 'passcode'>,
  { is_new = false }: { is_new?: boolean } = {},
): Promise<WorkTree> {
  const url = repositoryUrl(house, agent.handle, agent);
  const path = join(folder, agent.handle);
  if (is_new) {
    mkdirSync(path, { recursive: true });
    await gitOk(path, 'init', '--quiet');
    await gitOk(path, 'remote', 'add', 'origin', url);
  } else await gitOk(folder, 'clone', '--quiet', url, path);
  const push = (...args: readonly string[]) =>
    git(path, 'push', ...(args.length > 0 ? args : ['origin', 'main']));
  return {
    path,
    async commit(files) {
      for (const [name, content] of Object.entries(files)) {
        const file = join(path, name);
        mkdirSync(dirname(file), { recursive: true });
        const is_raw = typeof content === 'string' || content instanceof Uint8Array;
        writeFileSync(file, is_raw ? content : `${JSON.stringify(content, null, 2)}\n`);
      }
      await gitOk(path, 'add', '--all');
      await gitOk(path, 'commit', '--quiet', '--message', 'Change');
    },
    push,
    async pushOk(...args) {
      const { code, stderr } = await push(...args);
      assert.equal(code, 0, stderr);
    },
  };
}

/** The card that an agent starts with, as the document prints it. */
export const cardOf = ({ handle, address }: Pick<Agent, 'handle' | 'address'>) => ({
  schema: 'agent-card',
  schema_version: 1,
  handle,
  display_name: handle,
  address,
  description: '',
  capabilities: [] as string[],
  contact: { inbox: address, webhook: null as string | null, email: null as string | null },
  keys: { ed25519: null as string | null },
  links: [] as { label: string; url: string }[],
  updated: '2026-09-07',
});

/** The request by which git pushes `commit` to `main` where `old` stands: its commands and its pack. */
export async function pushRequest(
  { path }: WorkTree,
  { old = '0'.repeat(40), commit }: { old?: string; commit: string },
): Promise<Buffer> {
  const line = `${old} ${commit} refs/heads/main\0 report-status`;
  const command = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`;
  const revisions = [commit, ...(/[^0]/.test(old) ? [`^${old}`] : [])].join('\n');
  const pack = await new Promise<Buffer>((resolve, reject) => {
    const child = execFile(
      'git',
      ['-C', path, 'pack-objects', '--stdout', '--revs', '--quiet'],
      { encoding: 'buffer', maxBuffer: 67_108_864 },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.end(`${revisions}\n`);
  });
  return Buffer.concat([Buffer.from(command), pack]);
}
