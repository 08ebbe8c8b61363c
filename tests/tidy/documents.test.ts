import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, it } from 'node:test';
import { dependencyFindings, pathFindings } from './documents.ts';
import { repository_root, sourceFiles } from './source-files.ts';

const exists = (glob: string) => globSync(glob, { cwd: repository_root }).length > 0;

describe('the documents', () => {
  const files = sourceFiles();

  for (const document of files.filter(({ path }) => /^[A-Z]+\.md$/.test(path))) {
    it(`${document.path} names only paths that exist`, () => {
      assert.deepEqual(pathFindings(document, exists), []);
    });
  }

  it('give a reason for every dependency, and for nothing else', () => {
    const document = files.find(({ path }) => path === 'docs/dependencies.md');
    assert.ok(document);
    const manifests = files.filter(({ path }) => /^(packages\/[^/]+\/)?package\.json$/.test(path));
    assert.equal(manifests.length, 7);
    assert.deepEqual(dependencyFindings(document, manifests), []);
  });
});

describe('pathFindings', () => {
  const document = (text: string) => ({ path: 'README.md', text });

  it('names quoted and linked paths that are not there, with their line', () => {
    const text =
      'See `packages/gone/a.ts`\nand [this](docs/gone.md#part) or `tests/gone/<room>.ts`.';
    assert.deepEqual(pathFindings(document(text), exists), [
      'README.md:1: there is no packages/gone/a.ts',
      'README.md:2: there is no tests/gone/<room>.ts',
      'README.md:2: there is no docs/gone.md',
    ]);
  });

  it('knows files, folders, lines and placeholders; leaves commands, routes and addresses alone', () => {
    const text = `\`tests/tidy/\` \`tests/tidy/documents.ts:12\` \`packages/<name>/package.json\`
      \`bin/stoa serve\` \`/guestbook/llms.txt\` \`data/stoa.db\` [out](https://example.org/a) [in](#b)
      [root](package.json)`;
    assert.deepEqual(pathFindings(document(text), exists), []);
  });
});

describe('dependencyFindings', () => {
  const document = (text: string) => ({ path: 'docs/dependencies.md', text });
  const manifest = (content: object, path = 'package.json') => ({
    path,
    text: JSON.stringify(content),
  });

  it('names what has no reason, what nobody uses, and what stands twice', () => {
    const text =
      '- `b`: nobody needs this.\n- `c`: said once here.\n- `c`: and again here.\n- `a`:\n';
    const manifests = [manifest({ dependencies: { a: '1.0.0' }, devDependencies: { c: '2.0.0' } })];
    assert.deepEqual(dependencyFindings(document(text), manifests), [
      'docs/dependencies.md:1: no reason given for a',
      'docs/dependencies.md:3: c stands twice',
      'docs/dependencies.md:1: nothing depends on b',
    ]);
  });

  it('wants one pinned version of each', () => {
    const text = '- `a`: for its long reason.\n- `b`: for its long reason.\n';
    const manifests = [
      manifest({ dependencies: { a: '1.0.0', b: '^1.0.0' } }),
      manifest({ optionalDependencies: { a: '1.0.1' } }, 'packages/wire/package.json'),
    ];
    assert.deepEqual(dependencyFindings(document(text), manifests), [
      'package.json:1: b is not pinned to one version',
      'packages/wire/package.json:1: a 1.0.1 here, 1.0.0 elsewhere',
    ]);
  });
});
