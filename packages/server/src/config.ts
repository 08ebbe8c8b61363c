import { isIP } from 'node:net';
import type { Static } from 'typebox';
import { Check } from 'typebox/value';
import { isLoopbackAddress } from './addresses.ts';
import { httpOrigin } from './config/http-origin.ts';
import { withTables } from './config/nearest.ts';
import { config_variable, default_config_path } from './config/other-flags.ts';
import { type Given, readConfigFile, readTable } from './config/read-file.ts';
import { fromText, readFlags } from './config/read-flags.ts';
import { expectation, shown } from './config/setting-words.ts';
import {
  type AnySchema,
  fileSchema,
  house_schema,
  listSettings,
  type RoomSchemas,
  type Setting,
} from './config/settings.ts';
import { setKey } from './config/tables.ts';

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

const isLoopback = (host: string) => host.toLowerCase() === 'localhost' || isLoopbackAddress(host);

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
