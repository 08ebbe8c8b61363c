import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { askedPaper, configTable, helpText } from './config/papers.ts';
import { ConfigError, readConfig } from './config.ts';

const room_schemas = {
  guestbook: Type.Object({
    posts_max: Type.Integer({ minimum: 1, default: 100, description: 'Posts a day.' }),
    agent: Type.Object({
      api_key: Type.Optional(Type.String({ minLength: 8, secret: true, description: 'Key.' })),
      backend: Type.Enum(['off', 'openai'], { default: 'off', description: 'Back-end.' }),
    }),
  }),
  bar: Type.Object({}),
};

type Given = { argv?: string[]; env?: Record<string, string>; files?: Record<string, string> };

const read = ({ argv = [], env = {}, files = {} }: Given = {}) =>
  readConfig({
    argv,
    env,
    readFile: (path) => files[path],
    room_schemas,
    host_names: ['people'],
  });

function problemsOf(given: Given): readonly string[] {
  try {
    read(given);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return assert.fail('nothing was refused');
}

const toml = (text: string): Given => ({ files: { 'stoa.toml': text } });

describe('readConfig', () => {
  test('readConfig gives every default', () => {
    assert.deepEqual(read(), {
      port: 8080,
      host: '127.0.0.1',
      data: './data',
      practice: false,
      log_level: 'info',
      trust_proxy: 0,
      public_url: 'http://127.0.0.1:8080',
      http: {
        header_timeout_ms: 10_000,
        request_timeout_ms: 30_000,
        keep_alive_timeout_ms: 65_000,
        connections_max: 10_000,
      },
      metrics: { host: '127.0.0.1' },
      postgres: { readers_max: 8 },
      hosts: {},
      rooms: {
        guestbook: { is_mounted: true, settings: { posts_max: 100, agent: { backend: 'off' } } },
        bar: { is_mounted: true, settings: {} },
      },
    });
  });

  test('readConfig takes a flag before its variable, that before the file, that before the default', () => {
    const file = toml('port = 4');
    const env = { STOA_PORT: '3' };
    assert.equal(read({ argv: ['--port', '2'], env, ...file }).port, 2);
    assert.equal(read({ argv: ['--port=2'], env, ...file }).port, 2);
    assert.equal(read({ env, ...file }).port, 3);
    assert.equal(read(file).port, 4);
    assert.equal(read({ env: { STOA_PORT: '' }, ...file }).port, 4);
  });

  test('readConfig reads every flag and every variable', () => {
    const texts = {
      port: '1',
      host: '::1',
      data: 'd',
      database_url: 'postgres://h/d',
      public_url: 'https://x.org',
      log_level: 'debug',
    };
    const expected = { ...texts, port: 1, practice: true };
    const argv = Object.entries(texts).flatMap(([key, text]) => [
      `--${key.replaceAll('_', '-')}`,
      text,
    ]);
    const env = Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [`STOA_${key.toUpperCase()}`, text]),
    );
    for (const given of [
      { argv: [...argv, '--practice'] },
      { env: { ...env, STOA_PRACTICE: '1' } },
    ]) {
      const config = read(given);
      assert.deepEqual({ ...config, ...expected }, config);
    }
    assert.equal(
      read({ argv: ['--practice=false'], env: { STOA_PRACTICE: 'true' } }).practice,
      false,
    );
  });

  test('readConfig reads a named file, which must exist; the default one need not', () => {
    const files = { 'other.toml': 'port = 9' };
    assert.equal(read({ argv: ['--config', 'other.toml'], files }).port, 9);
    assert.equal(read({ env: { STOA_CONFIG: 'other.toml' }, files }).port, 9);
    assert.deepEqual(problemsOf({ argv: ['--config', 'no.toml'] }), [
      'no.toml: there is no such file',
    ]);
  });

  test('readConfig reads the tables of the file', () => {
    const config = read(
      toml(`
        trust_proxy = 2
        [hosts]
        guestbook = "Book.example.org"
        people = ["a.example", "b.example"]
        [rooms]
        bar = false
        [http]
        connections_max = 2048
        [metrics]
        port = 9100
        [guestbook]
        posts_max = 7
        [guestbook.agent]
        backend = "openai"
      `),
    );
    assert.equal(config.trust_proxy, 2);
    assert.deepEqual(config.hosts, {
      guestbook: ['book.example.org'],
      people: ['a.example', 'b.example'],
    });
    assert.equal(config.rooms.bar.is_mounted, false);
    assert.equal(config.rooms.guestbook.is_mounted, true);
    assert.equal(config.http.connections_max, 2048);
    assert.equal(config.http.header_timeout_ms, 10_000);
    assert.equal(config.metrics.port, 9100);
    assert.deepEqual(config.rooms.guestbook.settings, {
      posts_max: 7,
      agent: { backend: 'openai' },
    });
  });

  test('readConfig names the key, the source, what was given and what is expected', () => {
    assert.deepEqual(problemsOf(toml('port = "eighty"')), [
      'stoa.toml: port must be a whole number from 1 to 65535, got "eighty"',
    ]);
    assert.deepEqual(problemsOf({ env: { STOA_PORT: '0' } }), [
      'STOA_PORT must be a whole number from 1 to 65535, got 0',
    ]);
    assert.deepEqual(problemsOf({ argv: ['--practice=maybe'] }), [
      '--practice must be true or false, got "maybe"',
    ]);
    assert.deepEqual(problemsOf({ argv: ['--host', ':::'] }), [
      '--host must be an address or a host name, got ":::"',
    ]);
    assert.deepEqual(problemsOf({ argv: ['--log-level', 'loud'] }), [
      '--log-level must be one of "fatal", "error", "warn", "info", "debug", "trace", "silent", got "loud"',
    ]);
    assert.deepEqual(problemsOf(toml('[guestbook]\nposts_max = 0')), [
      'stoa.toml: guestbook.posts_max must be a whole number of 1 or more, got 0',
    ]);
    assert.deepEqual(problemsOf(toml('http = 3')), ['stoa.toml: http must be a table, got 3']);
    assert.deepEqual(problemsOf(toml('[port]\nx = 3')), [
      'stoa.toml: port must be a whole number from 1 to 65535, got a table',
    ]);
    assert.deepEqual(problemsOf(toml('[hosts]\nbar = "https://x"')), [
      'stoa.toml: hosts.bar must be a host name or a list of them, without scheme and port, got "https://x"',
    ]);
    assert.deepEqual(problemsOf({ argv: ['--port'] }), ['--port needs a value']);
    assert.deepEqual(problemsOf({ argv: ['--port', '--practice'] }), ['--port needs a value']);
    assert.deepEqual(problemsOf({ argv: ['8080'] }), ['argument 1, "8080", belongs to no flag']);
    assert.deepEqual(problemsOf({ argv: ['--port', '1', 'extra'] }), [
      'argument 3, "extra", belongs to no flag',
    ]);
  });

  test('readConfig does not repeat an argument that may be the secret of a mistyped flag', () => {
    for (const argv of [['postgres://stoa:hunter2@db/stoa'], ['--database-ulr', 'hunter2']]) {
      const problems = problemsOf({ argv });
      assert.equal(problems.at(-1), `argument ${argv.length} belongs to no flag`);
      assert.doesNotMatch(problems.join(), /hunter2/);
    }
  });

  test('readConfig suggests the nearest flag or key', () => {
    assert.deepEqual(problemsOf({ argv: ['--prot', '1'] }).slice(0, 1), [
      'unknown flag --prot; did you mean --port?',
    ]);
    assert.deepEqual(problemsOf(toml('connections_max = 5000')), [
      'stoa.toml: unknown key connections_max; did you mean http.connections_max?',
    ]);
    assert.deepEqual(problemsOf(toml('[guestbok]\nposts_max = 5')), [
      'stoa.toml: unknown key guestbok; did you mean guestbook?',
    ]);
    assert.deepEqual(problemsOf(toml('[guestbook.agent]\nbackand = "off"')), [
      'stoa.toml: unknown key guestbook.agent.backand; did you mean guestbook.agent.backend?',
    ]);
    assert.deepEqual(problemsOf(toml('zzzzzzzzzz = 5')), ['stoa.toml: unknown key zzzzzzzzzz']);
    assert.deepEqual(problemsOf(toml('config = "a.toml"')), ['stoa.toml: unknown key config']);
    assert.deepEqual(problemsOf(toml('constructor = 1')), [
      'stoa.toml: line 1, column 1 is no valid TOML',
    ]);
  });

  test('readConfig lists all problems at once', () => {
    const problems = problemsOf({
      argv: ['--port', 'x', '--nonsense-of-mine'],
      env: { STOA_HOST: '//' },
      ...toml('trust_proxy = -1\nunheard_of_thing = 1'),
    });
    assert.equal(problems.length, 5);
  });

  test('readConfig checks what a weightier source hides', () => {
    assert.deepEqual(problemsOf({ argv: ['--port', '80'], env: { STOA_PORT: 'x' } }), [
      'STOA_PORT must be a whole number from 1 to 65535, got "x"',
    ]);
  });

  test('readConfig refuses practice mode on an address that is no loopback', () => {
    for (const host of ['0.0.0.0', '::', '192.168.0.1', 'example.org', '::ffff:10.0.0.1']) {
      assert.deepEqual(problemsOf({ argv: ['--practice', '--host', host] }), [
        `practice mode listens on a loopback address only, not on ${host}`,
      ]);
      assert.equal(read({ argv: ['--host', host] }).host, host);
    }
    for (const host of ['127.0.0.1', '127.8.9.1', '::1', 'localhost', '::ffff:127.0.0.1']) {
      assert.equal(read({ argv: ['--practice', '--host', host] }).practice, true);
    }
  });

  test('readConfig makes public_url an origin, or refuses it', () => {
    const publicUrl = (...argv: string[]) => read({ argv }).public_url;
    assert.equal(publicUrl('--host', '::1', '--port', '99'), 'http://[::1]:99');
    assert.equal(publicUrl('--port', '80'), 'http://127.0.0.1');
    assert.equal(publicUrl('--public-url', 'https://Stoa.Example/'), 'https://stoa.example');
    assert.equal(publicUrl('--public-url', 'https://x.org:8443'), 'https://x.org:8443');
    for (const url of [
      'stoa.org',
      'ftp://x.org',
      'http://x.org/a',
      'http://x.org?a',
      'http://x.org/#',
      'http://u:pw@x.org',
    ]) {
      const [problem] = problemsOf({ argv: ['--public-url', url] });
      assert.match(problem ?? '', /^--public-url must be an http or https origin without a path/);
    }
  });

  test('readConfig refuses a host that is two things at once', () => {
    assert.deepEqual(
      problemsOf(
        toml('public_url = "https://x.org"\n[hosts]\nbar = "X.org"\nguestbook = ["a.b", "A.b"]'),
      ),
      [
        'hosts.guestbook: a.b is already the host of hosts.guestbook',
        'hosts.bar: x.org is already the host of public_url',
      ],
    );
  });

  test('readConfig never echoes a secret', () => {
    const secret = 'hunter2';
    const url = `mysql://user:${secret}@db/stoa`;
    const givens: Given[] = [
      { argv: ['--database-url', url] },
      { argv: [`--database_url=${url}`] },
      { argv: [url] },
      { argv: ['--host', url] },
      { argv: ['--port', '--database-url', url] },
      { env: { STOA_DATABASE_URL: url } },
      { env: { STOA_PUBLIC_URL: url } },
      toml(`database_url = "${url}"`),
      toml(`database_url = "${url}`),
      toml(`database_url = ["${url}"]`),
      toml(`[guestbook.agent]\napi_key = "hunter"\nbackend = "${url}"`),
    ];
    for (const given of givens) {
      const problems = problemsOf(given).join('\n');
      assert.ok(!problems.includes('hunter'), problems);
    }
  });

  test('readConfig refuses with a ConfigError whatever the arguments are', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string(), fc.constantFrom('--port', '--', '-p', '--host=', '--practice')),
        ),
        fc.string(),
        (argv, text) => {
          try {
            read({ argv, ...toml(text) });
          } catch (error) {
            assert.ok(error instanceof ConfigError);
          }
        },
      ),
    );
  });
});

describe('papers', () => {
  test('askedPaper finds the flags that ask for one', () => {
    assert.equal(askedPaper(['--port', 'x', '--help']), 'help');
    assert.equal(askedPaper(['--version']), 'version');
    assert.equal(askedPaper(['--port', '80']), undefined);
    assert.equal(read({ argv: ['--version', '--help'] }).port, 8080);
  });

  test('helpText names every flag with its variable and default', () => {
    const help = helpText();
    assert.match(help, /--port <number> +TCP port to listen on\. \[STOA_PORT, default 8080\]/);
    assert.match(help, /--practice {2,}Practice mode.* \[STOA_PRACTICE\]/);
    assert.match(help, /--config <file> .*\[STOA_CONFIG\]/);
    for (const flag of [
      'host',
      'data',
      'database-url',
      'public-url',
      'log-level',
      'help',
      'version',
    ]) {
      assert.match(help, new RegExp(`\\n  --${flag} `));
    }
  });

  test('configTable has a line for every key', () => {
    const table = configTable(room_schemas, ['people']);
    assert.match(
      table,
      /^\| key in `stoa.toml` \| flag \| variable \| default \| meaning \|\n\| --- /,
    );
    assert.match(
      table,
      /\n\| `port` \| `--port` \| `STOA_PORT` \| `8080` \| TCP port to listen on. \|\n/,
    );
    assert.match(table, /\n\| `guestbook.agent.backend` \| {2}\| {2}\| `off` \| Back-end. \|\n/);
    assert.match(table, /\n\| `hosts.people` \|/);
    assert.match(table, /\n\| `rooms.bar` \|/);
  });
});
