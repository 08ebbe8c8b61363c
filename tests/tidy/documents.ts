import { type Finding, matchesOf, type SourceFile } from './source-files.ts';

/** Folders at the root: a quoted text that begins with one of them is a path of the repository. */
const root_folders = /^(\.ci|bench|bin|clients|docs|packages|protocol|scripts|tests)\//;

/**
 * Paths that a document quotes (`packages/wire/src/index.ts`) or links to, and that are not there.
 * `<room>` and `*` stand for any name; `exists` is asked with a glob.
 */
export function pathFindings(document: SourceFile, exists: (glob: string) => boolean): Finding[] {
  const quoted = matchesOf(document, /`([^`\n]+)`/g).filter(({ match }) =>
    root_folders.test(match[1] ?? ''),
  );
  const linked = matchesOf(document, /\]\((?!\w+:|#)([^)#\s]+)[^)]*\)/g);
  return [...quoted, ...linked]
    .map(({ match, line }) => ({ path: match[1] ?? '', line }))
    .filter(({ path }) => !path.includes(' '))
    .map(({ path, line }) => ({ path: path.replace(/:\d+$/, ''), line }))
    .filter(({ path }) => !exists(path.replace(/<[^>]+>/g, '*')))
    .map(({ path, line }) => `${document.path}:${line}: there is no ${path}`);
}

type Manifest = {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/**
 * Dependencies without a line that gives the reason, lines about what nobody depends on, and packages
 * of one name in two versions. A line reads "- `name`: reason."
 */
export function dependencyFindings(
  document: SourceFile,
  manifests: readonly SourceFile[],
): Finding[] {
  const versions = new Map<string, string>();
  const findings: Finding[] = [];
  for (const { path, text } of manifests) {
    const manifest: Manifest = JSON.parse(text);
    const all = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    for (const [name, version] of all) {
      const other = versions.get(name) ?? version;
      if (name.startsWith('@stoa/')) continue;
      if (!/^\d/.test(version)) findings.push(`${path}:1: ${name} is not pinned to one version`);
      if (other !== version)
        findings.push(`${path}:1: ${name} ${version} here, ${other} elsewhere`);
      versions.set(name, version);
    }
  }

  const explained = matchesOf(document, /^- `([^`]+)`: \S.{9,}/gm).map(({ match, line }) => ({
    name: match[1] ?? '',
    line,
  }));
  for (const name of versions.keys()) {
    const lines = explained.filter((one) => one.name === name);
    if (lines.length === 0) findings.push(`${document.path}:1: no reason given for ${name}`);
    if (lines.length > 1) findings.push(`${document.path}:${lines[1]?.line}: ${name} stands twice`);
  }
  for (const { name, line } of explained) {
    if (!versions.has(name)) findings.push(`${document.path}:${line}: nothing depends on ${name}`);
  }
  return findings;
}
