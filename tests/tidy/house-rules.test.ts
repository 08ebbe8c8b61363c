import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { houseRuleFindings } from './house-rules.ts';
import { sourceFiles } from './source-files.ts';

/** The rules name what they forbid, and this file shows it. */
const about_the_rules = /^tests\/tidy\/(house-rules|walls)/;

describe('the rules of the house', () => {
  it('hold in every file', () => {
    const files = sourceFiles().filter((file) => !about_the_rules.test(file.path));
    assert.ok(files.length > 20, 'the files were found');
    assert.deepEqual(houseRuleFindings(files), []);
  });
});

describe('houseRuleFindings', () => {
  const lines = (count: number) => 'line\n'.repeat(count);
  const broken: [string, string][] = [
    ['a.ts', '// TODO later'],
    ['a.md', 'FIXME'],
    ['a.md', 'run it in `/home/ann/stoa`'],
    ['a.ts', "open('/work/stoa/data')"],
    ['a.test.ts', "it.only('x', () => {})"],
    ['a.test.ts', "describe.skip('x', () => {})"],
    ['a.test.mjs', "it('x', { skip: true }, () => {})"],
    ['a.test.ts', "test.todo('x')"],
    ['clients/python/test_door.py', '@unittest.skip("x")'],
    ['packages/server/src/bar/utils.ts', ''],
    ['packages/server/src/common/a.ts', ''],
    ['packages/server/src/session-manager.ts', ''],
    ['a.ts', 'export class RoomManager {}'],
    ['a.ts', 'const helpers = {};'],
    ['a.ts', "type Row = import('../bar/tables.ts').Row;"],
    ['a.ts', '// biome-ignore lint/style/noRestrictedGlobals: once'],
    ['a.ts', '// biome-ignore lint: all'],
    ['a.ts', '// biome-ignore lint/nursery/noFloatingPromises: fire and forget'],
    ['a.mjs', '// @ts-nocheck'],
    ['a.ts', lines(401)],
    ['packages/web/src/a.css', lines(401)],
  ];
  for (const [path, text] of broken) {
    it(`finds ${JSON.stringify(text.slice(0, 50))} in ${path}`, () => {
      const findings = houseRuleFindings([{ path, text }]);
      assert.equal(findings.length, 1, findings.join('\n'));
      assert.ok(findings[0]?.startsWith(`${path}:`));
    });
  }

  const sound: [string, string][] = [
    ['a.ts', "const { rows } = await import('./rows.ts');"],
    ['a.ts', '/** Use `import(x)` in place. */\n// import(x)'],
    ['a.ts', 'const manager_key = 1; const commonly = 2;'],
    ['a.md', 'https://example.org/home/ann and ./work/x and ~/home/x'],
    ['a.ts', '// biome-ignore lint/suspicious/noExplicitAny: @NOTE why'],
    ['a.ts', lines(400)],
    ['a.test.ts', lines(401)],
    ['docs/a.md', lines(401)],
    ['clients/python/korova.py', lines(401)],
    ['a.test.ts', '// this list only: nothing is skipped'],
    ['a.ts', 'const options = { skip: 10 };'],
  ];
  for (const [path, text] of sound) {
    it(`lets ${JSON.stringify(text.slice(0, 50))} in ${path} pass`, () => {
      assert.deepEqual(houseRuleFindings([{ path, text }]), []);
    });
  }
});
