import { once } from 'node:events';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { RefusalError } from '../../../refusal.ts';
import type { RawAnswer, RawRequest } from '../../../room.ts';
import { readOutput } from '../../../run-program.ts';
import {
  fetch_octets_max,
  git_time_ms_max,
  pack_octets_max,
  push_commands_octets_max,
  repository_octets_max,
} from '../../limits.ts';
import { GitUnavailableError } from '../git-host.ts';
import { clearStaleLocks } from './clear-leftovers.ts';
import type { EmbeddedHost } from './embedded-host.ts';
import { gitHeaders, refuseOtherType } from './git-call.ts';
import type { GitProgram } from './git-program.ts';
import { boundCommands, requestOctets, unreadable } from './request-octets.ts';
import { moveIntoPlace, writeEmptyRepository } from './write-repository.ts';

/** What holds for every push. */
export const push_settings = [
  'receive.fsckObjects=true',
  // Packs stay packs: what is pushed takes no more room on the disk than on the way.
  'receive.unpackLimit=1',
  `receive.maxInputSize=${pack_octets_max}`,
  // An agent may take its card away.
  'receive.denyDeleteCurrent=ignore',
];

/** What git says of a push, whole. */
type PushAnswer = RawAnswer & { readonly body: Buffer };

/**
 * Takes a push into the repository of a handle, which is made by it if there is none. Answers once git has
 * written everything; `is_new` says whether the repository was made.
 */
export async function servePush(
  host: EmbeddedHost,
  request: RawRequest,
  { handle, arrival_ms_max }: { handle: string; arrival_ms_max: number },
): Promise<{ answer: PushAnswer; is_new: boolean }> {
  refuseOtherType(request, 'receive-pack');
  // What comes slowly takes nothing from the time that git has for it.
  const time_ms_max = arrival_ms_max + git_time_ms_max;
  const path = host.pathOf(handle);
  if (await host.has(handle)) {
    await clearStaleLocks(path, host.turns.turn_ms_max);
    const octets_max = Math.min(await roomIn(host.git, path), pack_octets_max);
    const answer = await receive(host.git, request, { path, octets_max, time_ms_max });
    return { answer, is_new: false };
  }
  // In a place of its own, so that a push that fails leaves nothing.
  const new_path = host.newPathOf(handle);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeEmptyRepository(new_path);
    const bounds = { octets_max: pack_octets_max, time_ms_max };
    const answer = await receive(host.git, request, { path: new_path, ...bounds });
    if (!(await hasBranch(new_path))) return { answer, is_new: false };
    if (await moveIntoPlace(new_path, path)) return { answer, is_new: true };
    throw new GitUnavailableError('the repository was made by somebody else meanwhile');
  } finally {
    await rm(new_path, { recursive: true, force: true });
  }
}

async function hasBranch(path: string): Promise<boolean> {
  const files = await readdir(join(path, 'refs'), { recursive: true, withFileTypes: true });
  return files.some((file) => file.isFile());
}

async function receive(
  git: GitProgram,
  request: RawRequest,
  { path, octets_max, time_ms_max }: { path: string; octets_max: number; time_ms_max: number },
): Promise<PushAnswer> {
  const { stdin, stdout, ended } = git.start({
    args: ['receive-pack', '--stateless-rpc', path],
    settings: push_settings,
    time_ms_max,
  });
  const output = readOutput(stdout, fetch_octets_max);
  output.catch(() => {});
  try {
    const octets = requestOctets(request, octets_max);
    await feed(boundCommands(octets, push_commands_octets_max), stdin);
    const body = await output;
    const { code } = await ended;
    if (code === null) throw new GitUnavailableError('git was stopped in the middle of a push');
    if (code !== 0 && body.length === 0) throw unreadable('git could not read this push.');
    return { status: 200, headers: gitHeaders('receive-pack', 'result'), body };
  } catch (error) {
    // Cut short and not killed, git takes away what it has half written.
    stdin.end();
    await ended.catch(() => {});
    throw error;
  }
}

/** Gives a program its input; one that ends before it has read all has said why. */
async function feed(octets: AsyncIterable<Buffer>, stdin: Writable): Promise<void> {
  const closed = once(stdin, 'close').catch(() => {});
  for await (const part of octets) {
    if (stdin.destroyed) continue;
    if (!stdin.write(part)) await Promise.race([once(stdin, 'drain').catch(() => {}), closed]);
  }
  stdin.end();
}

/** Bytes that a repository may still take in; what nothing leads to is thrown away before it is full. */
async function roomIn(git: GitProgram, path: string): Promise<number> {
  let left_octets = repository_octets_max - (await octetsIn(path));
  if (left_octets < pack_octets_max) {
    const args = [`--git-dir=${path}`, 'gc', '--quiet', '--prune=5.minutes.ago'];
    await git.run({ args, octets_max: fetch_octets_max });
    left_octets = repository_octets_max - (await octetsIn(path));
  }
  if (left_octets > 0) return left_octets;
  throw new RefusalError('body_too_large', {
    detail: `This repository has the ${repository_octets_max} bytes that one may have.`,
    hint: 'Push a history without what is large, and try again some minutes later.',
  });
}

/** A file takes at least so much of the disk. */
const block_octets = 4_096;

async function octetsIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  let octets = 0;
  for (const file of files) {
    if (!file.isFile()) continue;
    const { size } = await stat(join(file.parentPath, file.name)).catch(() => ({ size: 0 }));
    octets += Math.max(size, block_octets);
  }
  return octets;
}
