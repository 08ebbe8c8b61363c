import { type Finding, matchesOf, type SourceFile } from './source-files.ts';

const requirements_file = /^protocol\/([^/]+)\/requirements\.md$/;
const test_file = /\.test\.(ts|mjs)$|(^|\/)test_[^/]+\.py$/;

/**
 * Requirements without a test, and citations that cite nothing. A test cites a requirement by its id
 * in brackets in its title; in Python, where a test has no title, anywhere in its file.
 */
export function requirementFindings(files: readonly SourceFile[]): Finding[] {
  const demands = files.flatMap(demandsOf);
  const known = new Set(demands.map((demand) => demand.id));
  const prefixes = [...new Set([...known].map((id) => id.slice(0, id.indexOf('-'))))].join('|');
  if (prefixes === '') return [];

  const citations = files
    .filter((file) => test_file.test(file.path))
    .flatMap((file) => citationsOf(file, new RegExp(`\\[((?:${prefixes})-[^\\]]*)\\]`, 'g')));
  const cited = new Set(citations.map((citation) => citation.id));

  const rooms = new Set(
    files.flatMap(({ path }) => /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1] ?? []),
  );
  const uncited = demands
    .filter((demand) => rooms.has(demand.room) && !cited.has(demand.id))
    .map(({ at, id }) => `${at}: no test cites [${id}]`);
  const unknown = citations
    .filter(({ id }) => !known.has(id))
    .map(({ at, id }) =>
      /^[A-Z]+-\d{3}$/.test(id)
        ? `${at}: there is no requirement [${id}]`
        : `${at}: one id in each pair of brackets, such as [BOOK-012], not [${id}]`,
    );
  const twice = demands
    .filter((demand, index) => demands.findIndex(({ id }) => id === demand.id) !== index)
    .map(({ at, id }) => `${at}: ${id} stands here a second time`);
  return [...uncited, ...unknown, ...twice];
}

type Demand = { id: string; room: string; at: string };

function demandsOf(file: SourceFile): Demand[] {
  const room = requirements_file.exec(file.path)?.[1];
  if (!room) return [];
  return matchesOf(file, /^- ([A-Z]+-\d{3}) /gm).map(({ match, line }) => ({
    id: match[1] ?? '',
    room,
    at: `${file.path}:${line}`,
  }));
}

const test_title = /\b(?:it|test|describe|suite)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;

function citationsOf(file: SourceFile, cited_id: RegExp): { id: string; at: string }[] {
  const titles = file.path.endsWith('.py')
    ? [{ text: file.text, line: 1 }]
    : matchesOf(file, test_title).map(({ match, line }) => ({ text: match[2] ?? '', line }));
  return titles.flatMap((title) =>
    [...title.text.matchAll(cited_id)].map((match) => ({
      id: match[1] ?? '',
      at: `${file.path}:${title.line}`,
    })),
  );
}
