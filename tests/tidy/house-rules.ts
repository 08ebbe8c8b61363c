import { type Finding, matchesOf, type SourceFile } from './source-files.ts';

const code_lines_max = 400;
/** What agents fetch as one file has no second file to go to. */
const whole_by_nature = /^clients\//;
const code = /\.(ts|mjs|js|py|css|html|sql)$/;
const test_file = /\.test\.(ts|mjs)$|(^|\/)test_[^/]+\.py$/;

type Rule = {
  readonly applies: (path: string) => boolean;
  readonly pattern: RegExp;
  readonly says: string;
};

const everywhere = () => true;
const in_code = (path: string) => code.test(path);
const in_typescript = (path: string) => path.endsWith('.ts');
const in_tests = (path: string) => test_file.test(path);

const vague = 'utils?|helpers?|managers?|misc|common';

const rules: readonly Rule[] = [
  {
    applies: everywhere,
    pattern: /\b(TODO|FIXME|XXX)\b/g,
    says: 'finish it, or open an issue',
  },
  {
    applies: everywhere,
    pattern: /(?<![\w.~/-])\/(work|root|home|Users)\/[\w.-]+/g,
    says: 'a path of one machine',
  },
  {
    applies: in_tests,
    pattern: /\b(it|test|describe|suite|t)\.(only|skip|todo)\b|[{,]\s*(only|skip|todo)\s*[:,}]/g,
    says: 'every test runs, or is not there',
  },
  {
    applies: in_tests,
    pattern: /@(unittest\.)?skip\w*|\bself\.skipTest\b/g,
    says: 'every test runs, or is not there',
  },
  {
    applies: in_code,
    pattern: new RegExp(
      `\\b(class|function|const|let|type|interface)\\s+(\\w*(Utils?|Helpers?|Manager|Misc|Common)|${vague})\\b`,
      'g',
    ),
    says: 'a name that says nothing: call it what it does',
  },
  {
    // dependency-cruiser does not see a type that is named in place.
    applies: in_typescript,
    pattern: /^(?!\s*(\/?\*|\/\/)).*(?<!\bawait )\bimport\(/gm,
    says: 'import types at the top of the file, where the import rules see them',
  },
  {
    // The walls stay up: what the linter says about them cannot be waved off in a comment.
    applies: everywhere,
    pattern:
      /biome-ignore[\w-]*\s+(lint:|lint\/(plugin|nursery\/no(Floating|JsRestricted)|style\/noRestricted|correctness\/noNodejs|suspicious\/no(Focused|Skipped)))/g,
    says: 'this rule has no exceptions: change the code, or the rule in biome.json',
  },
  {
    applies: everywhere,
    pattern: /@ts-(ignore|nocheck)\b/g,
    says: 'the type checker is not silenced',
  },
];

/** What breaks the rules of the house that neither Biome nor dependency-cruiser can express. */
export function houseRuleFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => [
    ...nameFindings(file),
    ...lengthFindings(file),
    ...textFindings(file),
  ]);
}

function nameFindings({ path }: SourceFile): Finding[] {
  const is_vague = path
    .split('/')
    .some((part) => new RegExp(`(^|[-_.])(${vague})([-_.]|$)`, 'i').test(part));
  return is_vague ? [`${path}:1: a name that says nothing: call it what it does`] : [];
}

function lengthFindings({ path, text }: SourceFile): Finding[] {
  const lines = text.split('\n').length - 1;
  const may_be_long = !code.test(path) || test_file.test(path) || whole_by_nature.test(path);
  const is_long = lines > code_lines_max && !may_be_long;
  return is_long
    ? [`${path}:${code_lines_max}: ${lines} lines; a file holds one subject in ${code_lines_max}`]
    : [];
}

function textFindings(file: SourceFile): Finding[] {
  return rules
    .filter((rule) => rule.applies(file.path))
    .flatMap((rule) =>
      matchesOf(file, rule.pattern).map(
        ({ match, line }) => `${file.path}:${line}: ${match[0].trim()}: ${rule.says}`,
      ),
    );
}
