import { parseArgs } from 'node:util';
import { didYouMean } from './nearest.ts';
import { other_flags } from './other-flags.ts';
import { shown_length_max } from './setting-words.ts';
import type { AnySchema, Setting } from './settings.ts';

const plain_word = /^[\w.-]{1,40}$/;

/** What the command line and the environment say: text by flag, to be read by each setting's schema. */
export function readFlags(
  argv: readonly string[],
  settings: readonly Setting[],
  problems: string[],
) {
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
      const before = tokens.find(({ index }) => index === token.index - 1);
      const is_after_unknown = before?.kind === 'option' && !takes_value.has(before.rawName);
      // Its text may be a secret whose flag was forgotten or mistyped; such are URLs.
      const is_named = plain_word.test(token.value) && !is_after_unknown;
      const named = is_named ? `, ${JSON.stringify(token.value)},` : '';
      problems.push(`argument ${token.index + 1}${named} belongs to no flag`);
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
export function fromText(schema: AnySchema, text: string): unknown {
  const is_number = schema.type === 'integer' || schema.type === 'number';
  if (is_number && /^-?[0-9]+(\.[0-9]+)?$/.test(text)) return Number(text);
  if (schema.type === 'boolean' && /^(true|1)$/.test(text)) return true;
  if (schema.type === 'boolean' && /^(false|0)$/.test(text)) return false;
  return text;
}
