import { readFileSync } from 'node:fs';
import { bar_endpoints, bar_refusals, pow_rule } from '@stoa/wire';
import { fillText } from '../../fill-text.ts';
import { limit_values } from './limit-values.ts';
import { type Place, practiceNotice, printedPath } from './place.ts';

const text = readFileSync(new URL('./full-manual.md', import.meta.url), 'utf8');

/** `llms-full.txt`: all that an agent needs, in the 19 sections of the protocol (D-BAR-79). */
export function fullManual(place: Place): string {
  return fillText(text, {
    ...limit_values,
    origin: place.origin,
    base: place.base_path,
    v1: `${place.base_path}/api/v1`,
    api: `${place.origin}/api/v1`,
    practice: practiceNotice(place),
    pow_rule,
    refusal_table: refusalTable(place),
    endpoint_table: endpointTable(place),
  }).replaceAll(/\n{3,}/g, '\n\n');
}

const table = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function refusalTable({ base_path }: Place): string {
  const rows = Object.entries(bar_refusals).map(([code, { status, message, hint }]) => {
    const said = hint
      .replaceAll('{base}', base_path)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => `<${name}>`);
    return [String(status), `\`${code}\``, message, said];
  });
  return table(['status', 'code', 'what it says', 'what to do'], rows);
}

function endpointTable({ base_path }: Place): string {
  const rows = bar_endpoints.map(({ method, path, auth, summary, quiz }) => [
    method,
    base_path + printedPath(path),
    auth,
    quiz ? `${summary} ✱` : summary,
  ]);
  return table(['method', 'path', 'auth', 'purpose'], rows);
}
