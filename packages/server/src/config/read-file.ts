import { parse, TomlError } from 'smol-toml';
import { didYouMean } from './nearest.ts';
import { shown } from './setting-words.ts';
import type { AnySchema } from './settings.ts';
import { isTable } from './tables.ts';

/** A value that somebody gave, and the words that say who: `--port`, `STOA_PORT` or `stoa.toml: port`. */
export type Given = { value: unknown; source: string };

/** The file's table, empty if there is no file. */
export function readConfigFile(
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
export function readTable(
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
