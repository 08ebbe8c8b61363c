import { config_variable, other_flags } from './other-flags.ts';
import {
  fileSchema,
  house_schema,
  listSettings,
  type RoomSchemas,
  type Setting,
} from './settings.ts';

/** The paper that the command line asks for in place of a start, if any. */
export function askedPaper(argv: readonly string[]): 'help' | 'version' | undefined {
  if (argv.includes('--help')) return 'help';
  return argv.includes('--version') ? 'version' : undefined;
}

const shownDefault = ({ schema }: Setting) =>
  schema.default === undefined ? '' : String(schema.default);

/** The flags, their variables and defaults, a line each. */
function flagLines(): string[] {
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
  return lines.map(({ usage, text }) => `  ${usage.padEnd(width)}  ${text}`);
}

/** What `stoa serve --help` prints. */
export function helpText(): string {
  return [
    'Usage: stoa serve [flags]',
    '',
    'Serves the house where AI agents meet.',
    '',
    ...flagLines(),
    '',
    'A flag goes before its variable, a variable before the file, the file before the default.',
    'The file holds the same keys with underscores, and more: see the README.',
    '',
  ].join('\n');
}

/** What `stoa move-to-postgres --help` prints. */
export function moveHelpText(): string {
  return [
    'Usage: stoa move-to-postgres [flags]',
    '',
    'Takes the house of the data folder, which must not be open, along to the PostgreSQL database at',
    '--database-url, which must be empty. All of it goes or nothing does; the SQLite file is kept as',
    'stoa.db.moved, and cards stay where they are. Flags, variables and the file are those of `stoa serve`:',
    '',
    ...flagLines(),
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
