import { isoInstant } from '../../clock.ts';
import {
  askService,
  type ServiceAnswer,
  ServiceUnavailableError,
} from '../../outbound/ask-service.ts';
import { keyedDigest } from '../../secrets.ts';
import { gitea_look_up_ms_max, gitea_octets_max, gitea_time_ms_max } from '../limits.ts';
import {
  type CardRepository,
  type GitFile,
  type GitHost,
  GitUnavailableError,
  type NewRepository,
} from './git-host.ts';
import { isTreePath } from './is-tree-path.ts';

const repository_name = '.profile';
/** How a Gitea, or a proxy before it, refuses a path in place of looking for it. */
const refused_paths: readonly number[] = [400, 414, 422];

type Asked = {
  method?: 'GET' | 'POST' | 'PATCH';
  body?: unknown;
  /** Without: as somebody who is not signed in. */
  authorization?: string;
  time_ms_max?: number;
  /** Statuses that say, as 404 does, that nothing is there. */
  not_there?: readonly number[];
};

/** A Gitea or a Forgejo. */
export type GiteaHost = GitHost & {
  readonly kind: 'gitea';
  /** Where the repository of a handle is cloned from and pushed to. */
  urlOf(handle: string): string;
};

/** Opens a Gitea or a Forgejo over its HTTP API. */
export function openGiteaHost(given: {
  /** Base URL, without a slash at its end. */
  url: string;
  /** Of an administrator. */
  token: string;
  house_key: Uint8Array;
}): GiteaHost {
  const { url, token, house_key } = given;
  const as_admin = { authorization: `token ${token}` };
  /** The password that a user is made with: it proves later that it was we who made it. */
  const firstPassword = (handle: string) =>
    keyedDigest(house_key, `gitea ${handle}`).toString('base64url');

  async function ask(path: string, asked: Asked = {}): Promise<ServiceAnswer> {
    const { method = 'GET', body, authorization, time_ms_max = gitea_time_ms_max } = asked;
    const answer = await askService({
      url: `${url}/api/v1${path}`,
      method,
      headers: { accept: 'application/json', ...(authorization ? { authorization } : {}) },
      ...(body === undefined ? {} : { body }),
      time_ms_max,
      octets_max: gitea_octets_max,
    }).catch((error: unknown) => {
      if (error instanceof ServiceUnavailableError) throw new GitUnavailableError(error.message);
      throw error;
    });
    return answer;
  }

  /** The JSON of an answer with one of these statuses; undefined if nothing is there, unavailable for anything else. */
  async function askFor<T>(path: string, asked: Asked = {}, also: readonly number[] = []) {
    const { status, octets } = await ask(path, asked);
    if (status === 404 || asked.not_there?.includes(status)) return undefined;
    const is_read = status === 200 || status === 201 || also.includes(status);
    if (!is_read) throw new GitUnavailableError(`the Gitea answered ${status}`);
    try {
      // @NOTE As its API is published; what is used of it is looked at where it is used.
      return { status, body: JSON.parse(octets.toString('utf8') || 'null') as T };
    } catch {
      throw new GitUnavailableError('the Gitea did not answer with JSON');
    }
  }

  const userPath = (handle: string) => `/users/${encodeURIComponent(handle)}`;
  const repositoryPath = (handle: string) =>
    `/repos/${encodeURIComponent(handle)}/${repository_name}`;

  /** The id of the user that is ours, made now if there is none of this name. */
  async function needUser({ handle, email, git_user_id }: NewRepository): Promise<number> {
    const known = await askFor<{ id: number }>(userPath(handle), as_admin);
    if (known && git_user_id === known.body.id) return known.body.id;
    if (!known && git_user_id === null) {
      const user = {
        username: handle,
        email,
        password: firstPassword(handle),
        must_change_password: false,
        send_notify: false,
        visibility: 'public',
      };
      const asked = { ...as_admin, method: 'POST' as const, body: user };
      const made = await askFor<{ id: number }>('/admin/users', asked, [422]);
      if (made && made.status !== 422) return made.body.id;
    } else if (git_user_id === null) {
      const basic = Buffer.from(`${handle}:${firstPassword(handle)}`).toString('base64');
      const own = await ask('/user', { authorization: `Basic ${basic}` });
      if (own.status === 200) return JSON.parse(own.octets.toString('utf8')).id;
    }
    throw new GitUnavailableError(`the name ${handle} belongs to somebody else at the Gitea`);
  }

  /** Takes from a user what an agent does not need, and gives it its passcode to push with. */
  async function settleUser(handle: string, email: string, passcode?: string): Promise<void> {
    const body = {
      source_id: 0,
      login_name: handle,
      email,
      max_repo_creation: 0,
      allow_create_organization: false,
      allow_git_hook: false,
      ...(passcode === undefined ? {} : { password: passcode, must_change_password: false }),
    };
    await askFor(`/admin/users/${encodeURIComponent(handle)}`, {
      ...as_admin,
      method: 'PATCH',
      body,
    });
  }

  async function addFiles(made: NewRepository): Promise<void> {
    const { handle, email, files, committed_at_s } = made;
    const who = { name: handle, email };
    const at = isoInstant(committed_at_s * 1_000);
    const body = {
      branch: 'main',
      message: 'Starter card',
      author: who,
      committer: who,
      dates: { author: at, committer: at },
      files: Object.entries(files).map(([path, text]) => ({
        operation: 'create',
        path,
        content: Buffer.from(text).toString('base64'),
      })),
    };
    await askFor(`${repositoryPath(handle)}/contents`, { ...as_admin, method: 'POST', body });
  }

  type Repository = {
    owner: { id: number };
    private: boolean;
    internal?: boolean;
    empty?: boolean;
  };

  return {
    kind: 'gitea',
    urlOf: (handle) => `${url}/${handle}/${repository_name}`,
    isServing: async () => true,
    async provision(made) {
      const { handle, email, passcode } = made;
      const git_user_id = await needUser(made);
      const found = await askFor<Repository>(repositoryPath(handle), as_admin);
      const is_new = !found || found.body.empty === true;
      if (!found) {
        const body = {
          name: repository_name,
          private: false,
          auto_init: false,
          default_branch: 'main',
        };
        const path = `/admin/users/${encodeURIComponent(handle)}/repos`;
        await askFor(path, { ...as_admin, method: 'POST', body }, [409]);
      }
      // One that is empty was begun by us: its user may make none.
      if (is_new) await addFiles(made);
      await settleUser(handle, email, passcode);
      return { created: is_new, git_user_id };
    },
    async findTip({ handle, git_user_id }) {
      // A user that was not made for the agent has no card, whatever it is called.
      if (git_user_id === null) return undefined;
      const found = await askFor<Repository>(repositoryPath(handle));
      if (!found) return undefined;
      const { owner, private: is_private, internal } = found.body;
      if (owner.id !== git_user_id || is_private || internal) return undefined;
      const branch = await askFor<{ commit: { id: string } }>(
        `${repositoryPath(handle)}/branches/main`,
      );
      return branch?.body.commit.id;
    },
    async readFile({ handle }: CardRepository, { commit, path, octets_max }) {
      if (!isTreePath(path)) return undefined;
      const at = path.split('/').map(encodeURIComponent).join('/');
      type Contents = {
        type: string;
        size: number;
        encoding: string | null;
        content: string | null;
      };
      const found = await askFor<Contents | Contents[]>(
        `${repositoryPath(handle)}/contents/${at}?ref=${commit}`,
        { not_there: refused_paths },
      );
      return found && fileOf(found.body, octets_max);
    },
    async isTaken(handle) {
      const asked = { ...as_admin, time_ms_max: gitea_look_up_ms_max };
      const name = encodeURIComponent(handle);
      const [user, organisation] = await Promise.all([
        ask(`/users/${name}`, asked),
        ask(`/orgs/${name}`, asked),
      ]);
      if (user.status === 200 || organisation.status === 200) return true;
      if (user.status === 404 && organisation.status === 404) return false;
      throw new GitUnavailableError(`the Gitea answered ${user.status}, ${organisation.status}`);
    },
  };
}

/** What the API says stands at a path: one entry, or a list for a folder. */
function fileOf(
  found:
    | { type: string; size: number; encoding: string | null; content: string | null }
    | readonly unknown[],
  octets_max: number,
): GitFile {
  if (!('type' in found) || found.type !== 'file') return { fault: 'not_a_file' };
  if (found.size > octets_max) return { fault: 'too_large' };
  if (found.encoding !== 'base64' || found.content === null) {
    throw new GitUnavailableError('the Gitea gave a file without its content');
  }
  return { octets: Buffer.from(found.content, 'base64') };
}
