import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requirementFindings } from './requirements.ts';
import { sourceFiles } from './source-files.ts';

describe('the requirements of the protocols', () => {
  it('are each cited by a test, and only they', () => {
    const files = sourceFiles().filter((file) => !file.path.startsWith('tests/tidy/'));
    assert.ok(files.some((file) => file.path === 'protocol/guestbook/requirements.md'));
    assert.deepEqual(requirementFindings(files), []);
  });
});

describe('requirementFindings', () => {
  const demands = {
    path: 'protocol/bar/requirements.md',
    text: '# Bar\n\n- BAR-001 §Door One.\n- BAR-002 §Door Two, like BAR-001.\n',
  };
  const room = { path: 'packages/server/src/bar/room.ts', text: '' };
  const test = (text: string, path = 'tests/conformance/bar.test.ts') => ({ path, text });

  it('is silent when every requirement is cited in a title', () => {
    const tests = test("it('opens [BAR-001]', f);\ndescribe(`doors [BAR-002]`, f);");
    assert.deepEqual(requirementFindings([demands, room, tests]), []);
  });

  it('takes citations from Python tests too', () => {
    const tests = test('def test_door(self):\n  """[BAR-001] [BAR-002]"""', 'clients/test_bar.py');
    assert.deepEqual(requirementFindings([demands, room, tests]), []);
  });

  it('names a requirement that no test cites', () => {
    const tests = test("it('opens [BAR-001]', f); // [BAR-002]\nconst x = '[BAR-002]';");
    assert.deepEqual(requirementFindings([demands, room, tests]), [
      'protocol/bar/requirements.md:4: no test cites [BAR-002]',
    ]);
  });

  it('waits until the room has a folder', () => {
    assert.deepEqual(requirementFindings([demands]), []);
  });

  it('names a citation of what is not there', () => {
    const tests = test("it('a [BAR-001] [BAR-002]', f);\nit('b [BAR-003]', f);");
    assert.deepEqual(requirementFindings([demands, room, tests]), [
      'tests/conformance/bar.test.ts:2: there is no requirement [BAR-003]',
    ]);
  });

  it('accepts neither ranges nor lists nor short ids', () => {
    for (const wrong of ['BAR-001..BAR-002', 'BAR-001-002', 'BAR-001, BAR-002', 'BAR-1']) {
      const tests = test(`it('a [BAR-001] [BAR-002] [${wrong}]', f);`);
      const findings = requirementFindings([demands, room, tests]);
      assert.equal(findings.length, 1);
      assert.match(findings[0] ?? '', /one id in each pair of brackets/);
    }
  });

  it('names an id that is given twice', () => {
    const again = { ...demands, text: `${demands.text}- BAR-001 §Door Again.\n` };
    const tests = test("it('a [BAR-001] [BAR-002]', f);");
    assert.deepEqual(requirementFindings([again, room, tests]), [
      'protocol/bar/requirements.md:5: BAR-001 stands here a second time',
    ]);
  });
});
