// Who may import whom: the walls of the house, of which ARCHITECTURE.md is the drawing. `only` names
// all that a place may import; `never` names what it may not. Tests beside the code are free of both,
// save for the few rules that name them.

import { Visitor } from '@swc/core/Visitor.js';

// @NOTE TypeScript 7 has no JavaScript API, so swc reads the sources; its visitor knows every statement
// but `using`.
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function (statement) {
  if (String(statement.type) !== 'UsingDeclaration') return visitStatement.call(this, statement);
  // @ts-expect-error: nor do its types.
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};

const server = '^packages/server/src/';
/** The rooms, and `front`, the house's own page, which has the shape of one. */
const rooms = 'front|guestbook|bar|karma|forum|network';
const kernel_folders = 'storage|log|jobs|cache|limits|outbound|http|admin';
/** `guestbook-store.ts`, `tables.ts`, `log-tables.ts` and their like, `migrations.ts` or a folder of them. */
const sql_file = '(-store\\.ts|[-/]tables\\.ts|/migrations(\\.ts|/[^/]+))$';
const test = '\\.test\\.(ts|mjs)$';

const wire = '^packages/wire/';
const proof = '^packages/proof/';
const client = '^packages/client/';
/**
 * The npm packages of these names; `[^/]+` stands for any.
 * @param {string} names
 */
const npm = (names) => `node_modules/(${names})/`;

/**
 * @typedef {import('dependency-cruiser').IForbiddenRuleType} Rule
 * @typedef {Rule['from']} From
 * @typedef {Extract<Rule, { to: unknown }>['to']} To
 */

/**
 * Whatever `from` imports is one of `allowed`.
 * @type {(name: string, from: From, allowed: string[], comment: string, to: To) => Rule}
 */
const only = (name, from, allowed, comment, to) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: test, ...from },
  to: { pathNot: allowed, couldNotResolve: false, ...to },
});

/** @type {(name: string, from: From, to: To, comment: string) => Rule} */
const never = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to });

/** @type {To} */
const no_builtin = {};
/** @type {To} */
const builtin_too = { dependencyTypesNot: ['core'] };

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    never(
      'no-cycles',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
      'Files that run each other cannot be read in one direction; types may refer back.',
    ),
    never('it-exists', {}, { couldNotResolve: true }, 'The import leads nowhere.'),
    never(
      'declared',
      { path: '^packages/', pathNot: test },
      {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['type-only'],
      },
      "A package declares what it uses, in its own package.json's dependencies.",
    ),
    never(
      'tests-stay-tests',
      { path: '^(packages|clients)/', pathNot: test },
      { path: [test, '^tests/'] },
      'Nothing that is served or run depends on a test or its support.',
    ),

    only(
      'wire-is-data',
      { path: wire },
      [wire, npm('typebox')],
      'wire says what is said: TypeBox and nothing of Node.',
      no_builtin,
    ),
    only(
      'proof-is-pure',
      { path: proof },
      [proof, npm('@noble/[^/]+')],
      'proof is arithmetic on what it is given: noble only, no Node, no wire, no I/O.',
      no_builtin,
    ),
    only(
      'client-runs-anywhere',
      { path: client },
      [client, wire, proof, npm('typebox|libsodium-wrappers')],
      'The client runs in Node, Bun, Deno and browsers: wire and proof, and nothing of Node.',
      no_builtin,
    ),
    only(
      'web-is-a-client',
      { path: '^packages/web/' },
      ['^packages/web/', client, wire],
      'What a browser loads knows the client and wire.',
      no_builtin,
    ),
    only(
      'cli-is-a-client',
      { path: '^packages/cli/' },
      ['^packages/cli/', client, wire, npm('commander|typebox')],
      'The command knows the client and wire; it reaches the house through the admin socket.',
      builtin_too,
    ),
    only(
      'server-is-no-client',
      { path: server },
      [
        '^packages/server/',
        wire,
        proof,
        '^packages/web/src/index\\.ts$',
        npm('[^/]+|@[^/]+/[^/]+'),
      ],
      'The server is built on wire and proof; of web it knows where the files are.',
      builtin_too,
    ),

    never(
      'rooms-do-not-meet',
      { path: `${server}(${rooms})/` },
      { path: `${server}(${rooms})/`, pathNot: `${server}$1/` },
      'Where two rooms must meet, house.ts passes one a function of the other.',
    ),
    only(
      'room-without-machinery',
      { path: `${server}(${rooms})/`, pathNot: [test, sql_file] },
      [
        `${server}$1/`,
        `${server}(?!main\\.ts|house\\.ts)[^/]+\\.ts$`,
        `${server}(${kernel_folders})/`,
        wire,
        proof,
        npm('typebox'),
      ],
      'A use case knows wire, proof, its own room and the kernel: no fastify, no kysely.',
      builtin_too,
    ),
    never(
      'room-without-host',
      { path: `${server}(${rooms})/`, pathNot: test },
      {
        path: [`${server}(http|admin)/`],
        pathNot: `${server}http/(endpoint|html|page)\\.ts$`,
        dependencyTypesNot: ['type-only'],
      },
      'A use case names a call and renders a page; what answers it is not its business.',
    ),
    never(
      'room-joins-routes',
      { path: `${server}(${rooms})/`, pathNot: [test, '/(room|endpoints|[^/]+-endpoint)\\.ts$'] },
      { path: `${server}http/endpoint\\.ts$` },
      'room.ts, the contents page, joins routes to use cases.',
    ),
    never(
      'room-without-io',
      { path: `${server}(${rooms})/`, pathNot: test },
      {
        path: '^(http|https|http2|net|tls|dgram|dns|dns/promises|timers|timers/promises|process|child_process)$',
      },
      'Network, timers and the process belong to the kernel.',
    ),
    never(
      'room-above-engines',
      { path: `${server}(${rooms})/`, pathNot: test },
      { path: `${server}storage/[^/]+/` },
      'A room knows what storage offers, not which engine keeps it.',
    ),
    only(
      'store-is-sql',
      { path: `${server}(${rooms}).*${sql_file}` },
      [
        `${server}$1/(tables|migrations)(\\.ts$|/)`,
        `${server}$1/[^/]+/[^/]+-migrations\\.ts$`,
        `${server}storage/[^/]+\\.ts$`,
        npm('kysely'),
      ],
      'A store is SQL on its own tables: no deps, no clock, no other store.',
      no_builtin,
    ),
    never(
      'migrations-are-frozen',
      { path: '/(migrations(\\.ts$|/)|[^/]+-migrations\\.ts$)', pathNot: test },
      {
        path: server,
        pathNot: [`${server}storage/[^/]+\\.ts$`, '/migrations/', '-migrations\\.ts$'],
      },
      'A migration does the same for ever: it imports nothing that may change.',
    ),

    never(
      'kernel-below-rooms',
      { path: `${server}(?!(${rooms})/|main\\.ts|house\\.ts)`, pathNot: test },
      { path: [`${server}(${rooms})/`, `${server}(main|house)\\.ts$`] },
      'The kernel carries the rooms and knows none of them.',
    ),
    never(
      'house-is-opened-by-main',
      { path: server, pathNot: [test, `${server}main\\.ts$`] },
      { path: `${server}house\\.ts$` },
      'house.ts is the composition root: only main.ts and tests open a house.',
    ),
    never(
      'nobody-imports-main',
      { path: '.', pathNot: test },
      { path: `${server}main\\.ts$` },
      'main.ts is run, not imported.',
    ),
    never(
      'engines-in-storage',
      { path: '^packages/', pathNot: [test, `${server}storage/`] },
      { path: npm('better-sqlite3|pg') },
      'SQLite and PostgreSQL are reached through storage.',
    ),
    never(
      'kysely-in-stores',
      { path: '^packages/', pathNot: [test, `${server}(storage|log)/`, sql_file] },
      { path: npm('kysely') },
      'SQL is written in stores, storage and the log.',
    ),
    never(
      'fastify-in-http',
      { path: '^packages/', pathNot: [test, `${server}(http|admin)/`] },
      { path: npm('fastify|fastify-plugin|@fastify/[^/]+') },
      'Fastify is known to http (and to the admin socket) alone.',
    ),
    never(
      'storage-below-all',
      { path: `${server}storage/`, pathNot: test },
      { path: `${server}(${kernel_folders}|deps\\.ts)`, pathNot: `${server}storage/` },
      'storage stands on nothing of the house but its clock, randomness and configuration.',
    ),
    never(
      'http-without-rows',
      { path: `${server}http/`, pathNot: test },
      { path: `${server}storage/`, dependencyTypesNot: ['type-only'] },
      'http never reaches into storage.',
    ),
    never(
      'network-through-outbound',
      { path: server, pathNot: [test, `${server}outbound/`] },
      { path: [npm('undici'), '^(dns|dns/promises|https)$'] },
      'Whatever leaves the house has its address vetted in outbound.',
    ),

    never(
      'conformance-is-black-box',
      { path: '^tests/conformance/' },
      { path: server },
      'A conformance test speaks HTTP, so that it can be turned on any server.',
    ),
  ],
  options: {
    parser: 'swc',
    moduleSystems: ['es6', 'cjs'],
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
