import { BlockList, isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { Check } from 'typebox/value';

/**
 * What a setting of this house says beside its JSON Schema: `flag` gives it a command line flag and a
 * `STOA_…` variable and names the flag's value in the help; `expected` puts into words what the schema
 * demands; `secret` keeps its value out of every message.
 */
type SettingOptions = { flag?: string; expected?: string; secret?: boolean };

const flag = (value_name: string): SettingOptions => ({ flag: value_name });

const milliseconds = (default_ms: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 3_600_000, default: default_ms, description });

const port_number = { minimum: 1, maximum: 65_535 };
const host_name = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const listeningHost = (options: SettingOptions & { description: string }) =>
  Type.Refine(
    Type.String({ expected: 'an address or a host name', default: '127.0.0.1', ...options }),
    (host) => isIP(host) !== 0 || host_name.test(host),
  );

const log_levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every setting of the house but those of its rooms: the source of flags, variables, file keys and papers. */
const house_schema = Type.Object({
  port: Type.Integer({
    ...flag('number'),
    ...port_number,
    default: 8080,
    description: 'TCP port to listen on.',
  }),
  host: listeningHost({ ...flag('address'), description: 'Address to listen on.' }),
  data: Type.String({
    ...flag('folder'),
    minLength: 1,
    default: './data',
    description: 'Folder of the database and the admin socket.',
  }),
  database_url: Type.Optional(
    Type.String({
      ...flag('url'),
      pattern: '^postgres(ql)?://',
      expected: 'a URL that begins with postgres:// or postgresql://',
      secret: true,
      description: 'PostgreSQL database to use in place of the embedded one.',
    }),
  ),
  public_url: Type.Optional(
    Type.Refine(
      Type.String({
        ...flag('url'),
        expected: 'an http or https origin without a path, such as https://stoa.example.org',
        description: 'Origin of the URLs that we print; unset, http:// with host and port.',
      }),
      (url) => httpOrigin(url) !== undefined,
    ),
  ),
  practice: Type.Boolean({
    ...flag(''),
    default: false,
    description:
      'Practice mode for client authors: easy door tasks, a movable clock; loopback only.',
  }),
  log_level: Type.Enum([...log_levels], {
    ...flag('level'),
    default: 'info',
    description: `Least weighty log lines to write: ${log_levels.join(', ')}.`,
  }),
  trust_proxy: Type.Integer({
    minimum: 0,
    maximum: 16,
    default: 0,
    description: 'Reverse proxies in front of us whose X-Forwarded-For we believe.',
  }),
  http: Type.Object({
    header_timeout_ms: milliseconds(10_000, 'Time for a request to send its headers.'),
    request_timeout_ms: milliseconds(30_000, 'Time for a request to arrive whole.'),
    keep_alive_timeout_ms: milliseconds(65_000, 'Time an idle connection stays open.'),
    connections_max: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 10_000,
      description: 'Open connections; later ones are closed at once.',
    }),
    body_bytes_max: Type.Integer({
      minimum: 1_024,
      maximum: 67_108_864,
      default: 1_048_576,
      description: 'Bytes of a request body, where the route has no bound of its own.',
    }),
  }),
  metrics: Type.Object({
    port: Type.Optional(
      Type.Integer({
        ...port_number,
        description: 'TCP port that serves /metrics; unset, the admin socket alone does.',
      }),
    ),
    host: listeningHost({ description: 'Address of the metrics port.' }),
  }),
  postgres: Type.Object({
    readers_max: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 8,
      description: 'Connections of this process for reading from PostgreSQL; one more writes.',
    }),
  }),
});

/** The schemas of the rooms' own tables in the file, by room. */
export type RoomSchemas = Record<string, TObject>;

/** The house's settings: every value checked, every default in place. */
export type Config<Rooms extends RoomSchemas = RoomSchemas> = Omit<
  Static<typeof house_schema>,
  'public_url'
> & {
  /** `http(s)://host[:port]`, without a trailing slash. */
  public_url: string;
  /** Host names, in small letters, by room or other name of the file's table `[hosts]`. */
  hosts: Record<string, readonly string[]>;
  rooms: { [Room in keyof Rooms]: { is_mounted: boolean; settings: Static<Rooms[Room]> } };
};

export type ConfigSource<Rooms extends RoomSchemas> = {
  /** Command line arguments, without the program's own. */
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Text of the file at `path`; undefined if there is none. May throw. */
  readFile: (path: string) => string | undefined;
  room_schemas: Rooms;
  /** Names besides the rooms' that may have hosts in `[hosts]`. */
  host_names?: readonly string[];
};

/** The settings do not hold; `problems` has a sentence for each thing to mend. No secret is in them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const default_config_path = 'stoa.toml';

/** Flags that are no settings: they say where to read settings, or ask for a paper in place of a start. */
const other_flags = [
  {
    name: 'config',
    value_name: 'file',
    description: `TOML file with settings; unset, ${default_config_path} if it exists.`,
  },
  { name: 'help', value_name: '', description: 'Print this and end.' },
  { name: 'version', value_name: '', description: 'Print the version and end.' },
] as const;

const config_variable = 'STOA_CONFIG';

type AnySchema = TSchema &
  SettingOptions & {
    type?: string;
    properties?: Record<string, AnySchema>;
    items?: AnySchema;
    anyOf?: { const?: unknown }[];
    enum?: unknown[];
    minimum?: number;
    maximum?: number;
    minLength?: number;
    maxLength?: number;
    default?: unknown;
    description?: string;
    '~optional'?: true;
  };

type Setting = {
  /** The file's key, such as `http.body_bytes_max`. */
  key: string;
  schema: AnySchema;
  /** `--log-level` and `STOA_LOG_LEVEL`, if it has them. */
  flag: string | undefined;
  variable: string | undefined;
};

function listSettings(schema: AnySchema, table: string): Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, entry]) => {
    const key = table === '' ? name : `${table}.${name}`;
    if (entry.properties) return listSettings(entry, key);
    const has_flag = entry.flag !== undefined;
    return {
      key,
      schema: entry,
      flag: has_flag ? `--${name.replaceAll('_', '-')}` : undefined,
      variable: has_flag ? `STOA_${name.toUpperCase()}` : undefined,
    };
  });
}

const hostList = (description: string) =>
  Type.Optional(
    Type.Refine(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        expected: 'a host name or a list of them, without scheme and port',
        description,
      }),
      (value) => [value].flat().every((host) => host_name.test(host)),
    ),
  );

/** The schema of the whole file: the house's settings, `[rooms]`, `[hosts]` and a table for each room. */
function fileSchema(room_schemas: RoomSchemas, host_names: readonly string[]): TObject {
  const rooms = Object.keys(room_schemas);
  const each = (names: readonly string[], schema: (name: string) => TSchema) =>
    Type.Object(Object.fromEntries(names.map((name) => [name, schema(name)])));
  return Type.Object({
    ...house_schema.properties,
    rooms: each(rooms, (room) =>
      Type.Boolean({ default: true, description: `Whether the ${room} is open.` }),
    ),
    hosts: each([...rooms, ...host_names], (name) => hostList(`Hosts of its own for ${name}.`)),
    ...room_schemas,
  });
}

/** What a value of `schema` must be, in words. */
function expectation(schema: AnySchema): string {
  if (schema.expected) return schema.expected;
  const choices = schema.enum ?? schema.anyOf?.map((choice) => choice.const);
  if (choices?.every((choice) => choice !== undefined)) {
    return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  }
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'integer') return `a whole number${range(schema.minimum, schema.maximum)}`;
  if (schema.type === 'number') return `a number${range(schema.minimum, schema.maximum)}`;
  if (schema.type === 'string') {
    const { minLength: min, maxLength: max } = schema;
    if (min === undefined && max === undefined) return 'a text';
    return min === 1 && max === undefined
      ? 'a text that is not empty'
      : `a text of${range(min, max)} characters`;
  }
  if (schema.type === 'array' && schema.items) return `a list, each ${expectation(schema.items)}`;
  return 'of another form';
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of ${min} or more`;
  return max === undefined ? '' : ` up to ${max}`;
}

const shown_length_max = 60;

/** `value` for a message, short and without the credentials that a URL may carry. */
function shown(schema: AnySchema, value: unknown): string {
  if (schema.secret) return 'a value that is not shown';
  if (isTable(value)) return 'a table';
  const text = JSON.stringify(value).replaceAll(/\/\/[^/]*@/g, '//…@');
  return text.length > shown_length_max ? `${text.slice(0, shown_length_max)}…` : text;
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** The one of `candidates` that `given` may have meant; undefined if none is near. */
function nearest(given: string, candidates: readonly string[]): string | undefined {
  const lastName = (key: string) => key.slice(key.lastIndexOf('.') + 1);
  const distances = candidates.map((candidate) => ({
    candidate,
    distance: Math.min(
      editDistance(given, candidate),
      // The right name in the wrong table, which is farther than a slip in the right one.
      editDistance(lastName(given), lastName(candidate)) + 1,
    ),
  }));
  const best = distances.sort((a, b) => a.distance - b.distance)[0];
  const distance_max = Math.max(2, Math.floor(given.length / 3));
  return best && best.distance <= distance_max ? best.candidate : undefined;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const swap = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** `a.b.c` with the tables it is in: `a`, `a.b`, `a.b.c`. */
const withTables = (key: string) =>
  key.split('.').map((_, index, names) => names.slice(0, index + 1).join('.'));

const didYouMean = (given: string, candidates: readonly string[]) => {
  const meant = nearest(given.slice(0, shown_length_max), candidates);
  return meant ? `; did you mean ${meant}?` : '';
};

/** A value that somebody gave, and the words that say who: `--port`, `STOA_PORT` or `stoa.toml: port`. */
type Given = { value: unknown; source: string };

/** What the command line and the environment say: text by flag, to be read by each setting's schema. */
function readFlags(argv: readonly string[], settings: readonly Setting[], problems: string[]) {
  const takes_value = new Map<string, boolean>([
    ...settings.flatMap(({ flag, schema }) =>
      flag ? [[flag, schema.type !== 'boolean'] as const] : [],
    ),
    ...other_flags.map(({ name, value_name }) => [`--${name}`, value_name !== ''] as const),
  ]);
  const given = new Map<string, string>();
  const options = Object.fromEntries(
    [...takes_value].map(([name, has_value]) => [
      name.slice(2),
      { type: has_value ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') {
      // Its text may be a secret whose flag was forgotten.
      problems.push(`argument ${token.index + 1} belongs to no flag`);
    }
    if (token.kind !== 'option') continue;
    const has_value = takes_value.get(token.rawName);
    if (has_value === undefined) {
      const meant = didYouMean(token.rawName, [...takes_value.keys()]);
      problems.push(`unknown flag ${token.rawName.slice(0, shown_length_max)}${meant}`);
    } else if (!has_value) {
      given.set(token.rawName, token.value ?? 'true');
    } else if (token.value === undefined || (!token.inlineValue && token.value.startsWith('-'))) {
      problems.push(`${token.rawName} needs a value`);
    } else given.set(token.rawName, token.value);
  }
  return given;
}

/** Text of a flag or variable as its setting's type; what cannot be one stays text, and fails the check. */
function fromText(schema: AnySchema, text: string): unknown {
  const is_number = schema.type === 'integer' || schema.type === 'number';
  if (is_number && /^-?[0-9]+(\.[0-9]+)?$/.test(text)) return Number(text);
  if (schema.type === 'boolean' && /^(true|1)$/.test(text)) return true;
  if (schema.type === 'boolean' && /^(false|0)$/.test(text)) return false;
  return text;
}

/** The file's table, empty if there is no file. */
function readConfigFile(
  readFile: (path: string) => string | undefined,
  path: string,
  must_exist: boolean,
  problems: string[],
): Record<string, unknown> {
  try {
    const text = readFile(path);
    if (text !== undefined) return parse(text, { unsafeKeyBehaviour: 'throw' });
    if (must_exist) problems.push(`${path}: there is no such file`);
  } catch (error) {
    // The message of a TomlError quotes the line, which may hold a password.
    const what =
      error instanceof TomlError
        ? `line ${error.line}, column ${error.column} is no valid TOML`
        : 'the file cannot be read';
    problems.push(`${path}: ${what}`);
  }
  return {};
}

/** The values of a file's table by key; tables and keys that `schema` does not know are problems. */
function readTable(
  table: Record<string, unknown>,
  schema: AnySchema,
  place: { file: string; table: string; keys: readonly string[] },
  problems: string[],
): Map<string, Given> {
  const given = new Map<string, Given>();
  for (const [name, value] of Object.entries(table)) {
    const key = place.table === '' ? name : `${place.table}.${name}`;
    const properties = schema.properties ?? {};
    const entry = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!entry) {
      problems.push(`${place.file}: unknown key ${key}${didYouMean(key, place.keys)}`);
    } else if (!entry.properties) {
      given.set(key, { value, source: `${place.file}: ${key}` });
    } else if (isTable(value)) {
      const inner = readTable(value, entry, { ...place, table: key }, problems);
      for (const [inner_key, inner_given] of inner) given.set(inner_key, inner_given);
    } else problems.push(`${place.file}: ${key} must be a table, got ${shown(entry, value)}`);
  }
  return given;
}

/** Sets `key`, such as `http.body_bytes_max`, in nested tables. */
function setKey(tables: Record<string, unknown>, key: string, value: unknown): void {
  const names = key.split('.');
  const last = names.pop() ?? '';
  let table = tables;
  for (const name of names) {
    const inner = isTable(table[name]) ? table[name] : {};
    table[name] = inner;
    table = inner;
  }
  if (value !== undefined) table[last] = value;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** The origin that `url` is, in canonical form; undefined if it is none or more than that. */
function httpOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(url);
  const is_bare = pathname === '/' && `${search}${hash}${username}${password}` === '';
  return is_bare && /^https?:$/.test(protocol) && !/[?#@]/.test(url) ? origin : undefined;
}

/** Hosts as lists of small letters; a host that is two things at once is a problem. */
function readHosts(
  hosts: Record<string, string | string[]>,
  public_url: string,
  problems: string[],
): Record<string, readonly string[]> {
  const owners = new Map([[new URL(public_url).hostname, 'public_url']]);
  const lists = Object.entries(hosts).map(([name, value]) => {
    const list = [value].flat().map((host) => host.toLowerCase());
    for (const host of list) {
      const owner = owners.get(host);
      if (owner) problems.push(`hosts.${name}: ${host} is already the host of ${owner}`);
      owners.set(host, `hosts.${name}`);
    }
    return [name, list] as const;
  });
  return Object.fromEntries(lists);
}

/** The value of each setting, from the weightiest of its sources; each value given is checked. */
function decideSettings(
  settings: readonly Setting[],
  sources: {
    flags: Map<string, string>;
    env: ConfigSource<RoomSchemas>['env'];
    file: Map<string, Given>;
  },
  problems: string[],
): Record<string, unknown> {
  const tables: Record<string, unknown> = {};
  for (const { key, schema, flag, variable } of settings) {
    const texts = [
      { source: flag, text: flag && sources.flags.get(flag) },
      // An empty variable is one that is not set: many tools cannot leave one out.
      { source: variable, text: (variable && sources.env[variable]) || undefined },
    ];
    const given: Given[] = texts.flatMap(({ source, text }) =>
      source && text !== undefined ? [{ source, value: fromText(schema, text) }] : [],
    );
    const in_file = sources.file.get(key);
    if (in_file) given.push(in_file);
    const problems_before = problems.length;
    for (const { source, value } of given) {
      if (Check(schema, value)) continue;
      problems.push(`${source} must be ${expectation(schema)}, got ${shown(schema, value)}`);
    }
    const is_missing = given.length === 0 && schema.default === undefined && !schema['~optional'];
    if (is_missing) problems.push(`${key} is not set; it must be ${expectation(schema)}`);
    const decided = given.length > 0 ? given[0]?.value : structuredClone(schema.default);
    setKey(tables, key, problems.length === problems_before ? decided : undefined);
  }
  return tables;
}

/**
 * Reads the house's settings: a flag before its variable, a variable before the file, the file before
 * the default. Pure: the process is the caller's. Flags that ask for a paper (`askedPaper`) are passed
 * over.
 *
 * Throws `ConfigError` with all problems at once.
 */
export function readConfig<Rooms extends RoomSchemas>(source: ConfigSource<Rooms>): Config<Rooms> {
  const problems: string[] = [];
  const schema: AnySchema = fileSchema(source.room_schemas, source.host_names ?? []);
  const settings = listSettings(schema, '');
  const flags = readFlags(source.argv, settings, problems);
  const named_path = flags.get('--config') ?? (source.env[config_variable] || undefined);
  const path = named_path ?? default_config_path;
  const table = readConfigFile(source.readFile, path, named_path !== undefined, problems);
  const keys = settings.flatMap(({ key }) => withTables(key));
  const place = { file: path, table: '', keys };
  const file = readTable(table, schema, place, problems);
  const tables = decideSettings(settings, { flags, env: source.env, file }, problems);
  if (problems.length > 0) throw new ConfigError(problems);

  // @NOTE The checks above are what makes the tables of the schema's type.
  const checked = tables as Static<typeof house_schema> & {
    rooms: Record<string, boolean>;
    hosts: Record<string, string | string[]>;
  };
  const { host, port, practice } = checked;
  const authority = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
  const public_url = httpOrigin(checked.public_url ?? '') ?? new URL(`http://${authority}`).origin;
  if (practice && !isLoopback(host)) {
    problems.push(`practice mode listens on a loopback address only, not on ${host}`);
  }
  const hosts = readHosts(checked.hosts ?? {}, public_url, problems);
  if (problems.length > 0) throw new ConfigError(problems);

  const house = Object.fromEntries(
    Object.keys(house_schema.properties).flatMap((name) =>
      tables[name] === undefined ? [] : [[name, tables[name]]],
    ),
  );
  const rooms = Object.keys(source.room_schemas).map((room) => [
    room,
    { is_mounted: checked.rooms[room], settings: tables[room] ?? {} },
  ]);
  return {
    ...house,
    public_url,
    hosts,
    rooms: Object.fromEntries(rooms),
  } as Config<Rooms>;
}

/** The paper that the command line asks for in place of a start, if any. */
export function askedPaper(argv: readonly string[]): 'help' | 'version' | undefined {
  if (argv.includes('--help')) return 'help';
  return argv.includes('--version') ? 'version' : undefined;
}

const shownDefault = ({ schema }: Setting) =>
  schema.default === undefined ? '' : String(schema.default);

/** What `--help` prints: the flags, their variables and defaults. */
export function helpText(): string {
  const flags = listSettings(house_schema, '').flatMap((setting) => {
    if (!setting.flag) return [];
    const { flag: value_name, description = '' } = setting.schema;
    const fallback = setting.schema.type === 'boolean' ? '' : shownDefault(setting);
    const more = [setting.variable, fallback && `default ${fallback}`].filter(Boolean).join(', ');
    return { usage: withValue(setting.flag, value_name), text: `${description} [${more}]` };
  });
  const others = other_flags.map(({ name, value_name, description }) => ({
    usage: withValue(`--${name}`, value_name),
    text: name === 'config' ? `${description} [${config_variable}]` : description,
  }));
  const lines = [...flags, ...others];
  const width = Math.max(...lines.map(({ usage }) => usage.length));
  return [
    'Usage: stoa serve [flags]',
    '',
    'Serves the house where AI agents meet.',
    '',
    ...lines.map(({ usage, text }) => `  ${usage.padEnd(width)}  ${text}`),
    '',
    'A flag goes before its variable, a variable before the file, the file before the default.',
    'The file holds the same keys with underscores, and more: see the README.',
    '',
  ].join('\n');
}

const withValue = (flag_name: string, value_name: string | undefined) =>
  value_name ? `${flag_name} <${value_name}>` : flag_name;

/** The configuration table of the README in Markdown: every key, with the rooms' own. */
export function configTable(
  room_schemas: RoomSchemas = {},
  host_names: readonly string[] = [],
): string {
  const code = (text: string | undefined) => (text ? `\`${text}\`` : '');
  const rows = listSettings(fileSchema(room_schemas, host_names), '').map((setting) => [
    code(setting.key),
    code(setting.flag),
    code(setting.variable),
    code(shownDefault(setting)),
    (setting.schema.description ?? '').replaceAll('|', '\\|'),
  ]);
  const config = other_flags[0];
  rows.push(['', code('--config'), code(config_variable), '', config.description]);
  const header = ['key in `stoa.toml`', 'flag', 'variable', 'default', 'meaning'];
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}
