import { isIP } from 'node:net';
import Type, { type TObject, type TSchema } from 'typebox';
import { httpOrigin } from './http-origin.ts';

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
export const house_schema = Type.Object({
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
    request_timeout_ms: milliseconds(
      30_000,
      'Time for a request to arrive whole, a push to a card among them.',
    ),
    keep_alive_timeout_ms: milliseconds(65_000, 'Time an idle connection stays open.'),
    connections_max: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 10_000,
      description: 'Open connections; later ones are closed at once.',
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

export type AnySchema = TSchema &
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

export type Setting = {
  /** The file's key, such as `http.connections_max`. */
  key: string;
  schema: AnySchema;
  /** `--log-level` and `STOA_LOG_LEVEL`, if it has them. */
  flag: string | undefined;
  variable: string | undefined;
};

export function listSettings(schema: AnySchema, table: string): Setting[] {
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
export function fileSchema(room_schemas: RoomSchemas, host_names: readonly string[]): TObject {
  const rooms = Object.keys(room_schemas);
  const each = (names: readonly string[], schema: (name: string) => TSchema) =>
    Type.Object(Object.fromEntries(names.map((name) => [name, schema(name)])));
  return Type.Object({
    ...house_schema.properties,
    rooms: each(rooms, (room) =>
      Type.Boolean({ default: true, description: `Whether the room ${room} is open.` }),
    ),
    hosts: each([...rooms, ...host_names], (name) => hostList(`Hosts of its own for ${name}.`)),
    ...room_schemas,
  });
}
