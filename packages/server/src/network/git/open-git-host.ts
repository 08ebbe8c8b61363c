import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import type { Deps } from '../../deps.ts';
import { StartError } from '../../start-fault.ts';
import { git_time_ms_max } from '../limits.ts';
import { type EmbeddedHost, openEmbeddedHost } from './embedded/embedded-host.ts';
import { gitProgram } from './embedded/git-program.ts';
import { openRepositoryTurns } from './embedded/repository-turns.ts';
import { type GiteaHost, openGiteaHost } from './gitea-host.ts';

/** The table `[network.git]` of the configuration. */
export const git_settings = Type.Object({
  kind: Type.Enum(['embedded', 'gitea'], {
    default: 'embedded',
    description: 'Where cards lie: embedded in the data folder, or on a Gitea or Forgejo.',
  }),
  program: Type.String({
    minLength: 1,
    default: 'git',
    description: 'The git that serves embedded repositories: a name or a path.',
  }),
  folder: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder of embedded repositories, one for all processes of a house; unset, git in the data folder.',
    }),
  ),
  url: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#@]+(/[^?#]*)?$',
      expected: 'an http or https URL',
      description: 'Base URL of the Gitea.',
    }),
  ),
  token_file: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File that holds the token of an administrator of the Gitea.',
    }),
  ),
});

const standard: Static<typeof git_settings> = { kind: 'embedded', program: 'git' };

/** Opens the git host that the configuration names. */
export function openGitHost(
  { config, clock, limits, random, house_key }: Deps,
  { kind, program, folder, url, token_file }: Static<typeof git_settings> = standard,
): EmbeddedHost | GiteaHost {
  if (kind === 'gitea') {
    if (url === undefined || token_file === undefined) {
      throw new StartError('network.git.kind is gitea, which needs network.git.url and token_file');
    }
    const token = readToken(token_file);
    return openGiteaHost({ url: url.replace(/\/+$/, ''), token, house_key });
  }
  // git runs in a folder of its own, where paths from ours lead elsewhere.
  const git = gitProgram(program.includes('/') ? resolve(program) : program);
  // A push comes in, and git has its time to make room before that and to write after it; the rest is for the disk.
  const turn_ms_max = config.http.request_timeout_ms + 3 * git_time_ms_max;
  return openEmbeddedHost({
    folder: resolve(folder ?? join(config.data, 'git')),
    git,
    turns: openRepositoryTurns({ limits, clock, turn_ms_max }),
    random,
  });
}

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new StartError(`network.git.token_file: ${path} cannot be read`);
  }
}
