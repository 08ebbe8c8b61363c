import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type User = {
  id: number;
  login: string;
  email: string;
  password: string;
  visibility: 'public' | 'limited' | 'private';
  is_organisation: boolean;
  settings: Record<string, unknown>;
};

type Repository = {
  private: boolean;
  internal: boolean;
  /** The files of each commit, the last on `main`. */
  commits: { id: string; files: Record<string, StubFile>; author: unknown }[];
};

export type StubFile = { type: 'file' | 'symlink' | 'submodule' | 'dir'; content: string };

/** What a test sees of the stub, and may change behind the house's back. */
export type GiteaStub = {
  readonly url: string;
  readonly token: string;
  readonly users: Map<string, User>;
  readonly repositories: Map<string, Repository>;
  /** `METHOD path` of all that was asked, with `*` where a token or password was sent. */
  readonly asked: string[];
  /** Answers every request with this status while it is set. */
  failing: number | undefined;
  /** Where it fails, if not everywhere: `METHOD path`. */
  failing_at: RegExp;
  /** Answers no request that is like this, as `METHOD path`, before `until` is over. */
  held: { at: RegExp; until: Promise<void> } | undefined;
  addUser(login: string, more?: Partial<User>): User;
  commit(owner: string, files: Record<string, string | StubFile>): void;
  close(): Promise<void>;
};

/** A server with the part of Gitea's published API (1.22, and Forgejo's) that a git host of cards needs. */
export async function openGiteaStub(): Promise<GiteaStub> {
  const users = new Map<string, User>();
  const repositories = new Map<string, Repository>();
  const asked: string[] = [];
  const token = 'gitea-admin-token';
  let ids = 100;
  let commits = 0;

  const stub = {
    url: '',
    token,
    users,
    repositories,
    asked,
    failing: undefined as number | undefined,
    failing_at: /^/,
    held: undefined as GiteaStub['held'],
    addUser(login: string, more: Partial<User> = {}): User {
      ids += 1;
      const user: User = {
        id: ids,
        login,
        email: `${login}@example.org`,
        password: 'unknown',
        visibility: 'public',
        is_organisation: false,
        settings: {},
        ...more,
      };
      users.set(login.toLowerCase(), user);
      return user;
    },
    commit(owner: string, files: Record<string, string | StubFile>, author: unknown = null) {
      const key = `${owner}/.profile`;
      const repository = repositories.get(key) ?? { private: false, internal: false, commits: [] };
      repositories.set(key, repository);
      commits += 1;
      const entries = Object.entries(files).map(([path, file]): [string, StubFile] => [
        path,
        typeof file === 'string' ? { type: 'file', content: file } : file,
      ]);
      repository.commits.push({
        id: commits.toString(16).padStart(40, '0'),
        files: { ...repository.commits.at(-1)?.files, ...Object.fromEntries(entries) },
        author,
      });
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  /** Who asks: the administrator, a user by its password, or nobody. */
  function callerOf({ headers }: IncomingMessage): 'admin' | User | undefined {
    const { authorization = '' } = headers;
    if (authorization === `token ${token}`) return 'admin';
    const [, encoded] = /^Basic (.+)$/.exec(authorization) ?? [];
    const [login = '', password] = Buffer.from(encoded ?? '', 'base64')
      .toString()
      .split(':');
    const user = users.get(login.toLowerCase());
    return user && user.password === password ? user : undefined;
  }

  const seen = (user: User | undefined, caller: unknown) =>
    user && (caller !== undefined || user.visibility === 'public') ? user : undefined;
  const shown = ({ id, login, email, visibility }: User) => ({ id, login, email, visibility });

  function answer(
    request: IncomingMessage,
    path: string,
    body: Record<string, never>,
  ): [status: number, body?: unknown] {
    const caller = callerOf(request);
    const url = new URL(path, 'http://gitea');
    const parts = url.pathname.slice('/api/v1/'.length).split('/').map(decodeURIComponent);
    const route = `${request.method} ${parts[0]}`;
    const [, name = '', ...rest] = parts;
    if (route === 'GET user') {
      if (caller === undefined || caller === 'admin') return [401];
      return [200, shown(caller)];
    }
    if (route === 'GET users') {
      const user = seen(users.get(name.toLowerCase()), caller);
      return user && !user.is_organisation ? [200, shown(user)] : [404, { message: 'not found' }];
    }
    if (route === 'GET orgs') {
      const user = seen(users.get(name.toLowerCase()), caller);
      return user?.is_organisation ? [200, { id: user.id, username: user.login }] : [404];
    }
    if (parts[0] === 'admin') return caller === 'admin' ? administer(request, rest, body) : [403];
    if (parts[0] !== 'repos') return [404];
    const owner = seen(users.get(name.toLowerCase()), caller);
    const repository = owner && repositories.get(`${owner.login}/${rest[0]}`);
    if (!owner || !repository) return [404];
    if ((repository.private || repository.internal) && caller === undefined) return [404];
    const what = rest.slice(1);
    if (request.method === 'POST' && what[0] === 'contents') {
      if (caller !== 'admin') return [403];
      const { files, author, message, branch } = body as unknown as {
        files: { operation: string; path: string; content: string }[];
        author: { email: string };
        message: string;
        branch: string;
      };
      if (branch !== 'main' || files.some(({ operation }) => operation !== 'create')) return [422];
      const texts = files.map(({ path, content }) => [
        path,
        Buffer.from(content, 'base64').toString(),
      ]);
      stub.commit(owner.login, Object.fromEntries(texts), { ...author, message });
      return [201, { files: [] }];
    }
    if (request.method !== 'GET') return [405];
    const last = repository.commits.at(-1);
    if (what.length === 0) {
      const { private: is_private, internal } = repository;
      return [200, { owner: shown(owner), private: is_private, internal, empty: !last }];
    }
    if (what[0] === 'branches') {
      return what[1] === 'main' && last ? [200, { name: 'main', commit: { id: last.id } }] : [404];
    }
    const at = repository.commits.find(({ id }) => id === url.searchParams.get('ref'));
    const file = at?.files[what.slice(1).join('/')];
    if (!file) return [404];
    if (file.type === 'dir') return [200, []];
    const is_file = file.type === 'file';
    return [
      200,
      {
        type: file.type,
        size: Buffer.byteLength(file.content),
        encoding: is_file ? 'base64' : null,
        content: is_file ? Buffer.from(file.content).toString('base64') : null,
      },
    ];
  }

  function administer(
    { method }: IncomingMessage,
    parts: readonly string[],
    body: Record<string, never>,
  ): [status: number, body?: unknown] {
    const given = body as unknown as Record<string, string>;
    if (method === 'POST' && parts.length === 0) {
      const { username = '', email = '', password = '' } = given;
      if (users.has(username.toLowerCase())) return [422, { message: 'user already exists' }];
      return [201, shown(stub.addUser(username, { email, password }))];
    }
    const user = users.get((parts[0] ?? '').toLowerCase());
    if (!user) return [404];
    if (method === 'PATCH' && parts.length === 1) {
      if (given.login_name === undefined || given.source_id === undefined) return [422];
      const { password, ...settings } = given;
      if (password !== undefined) user.password = password;
      Object.assign(user.settings, settings);
      return [200, shown(user)];
    }
    if (method === 'POST' && parts[1] === 'repos') {
      const key = `${user.login}/${given.name}`;
      if (repositories.has(key)) return [409];
      repositories.set(key, { private: Boolean(given.private), internal: false, commits: [] });
      return [201, { owner: shown(user), empty: true }];
    }
    return [405];
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', async () => {
      const path = request.url ?? '/';
      const { held } = stub;
      if (held?.at.test(`${request.method} ${path}`)) await held.until;
      const mark = request.headers.authorization ? '*' : '';
      asked.push(`${request.method}${mark} ${path.replace('/api/v1', '')}`);
      const text = Buffer.concat(parts).toString();
      const is_failing = stub.failing_at.test(`${request.method} ${path}`);
      const [status, body] =
        stub.failing === undefined || !is_failing
          ? answer(request, path, text ? JSON.parse(text) : {})
          : [stub.failing, undefined];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return stub;
}
