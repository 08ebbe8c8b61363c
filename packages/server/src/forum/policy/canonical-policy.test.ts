import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { canonicalPolicy } from './canonical-policy.ts';
import { readPolicyText } from './read-policy-text.ts';

const vectors = JSON.parse(
  readFileSync(
    new URL('../../../../../protocol/forum/vectors/policy-digest.json', import.meta.url),
    'utf8',
  ),
);

describe('canonicalPolicy', () => {
  for (const { name, policy, canonical, sha256 } of vectors) {
    it(`prints and digests ${name} [FORUM-023]`, () => {
      assert.deepEqual(canonicalPolicy(policy), { text: canonical, sha256 });
    });
  }
});

describe('readPolicyText', () => {
  it('leaves version and date to the house', () => {
    const content = { title: 'A', rules: ['b'], more: { deep: [1, true, null] } };
    const text = JSON.stringify({ ...content, version: '9', effective_at: 3 });
    assert.deepEqual(readPolicyText(text), { content });
  });

  const wrong: [string, RegExp][] = [
    ['{', /not JSON/],
    ['[]', /not a JSON object/],
    ['null', /not a JSON object/],
    ['{"rules":["a"]}', /no title/],
    ['{"title":" ","rules":["a"]}', /no title/],
    ['{"title":"a"}', /no rules/],
    ['{"title":"a","rules":[]}', /no rules/],
    ['{"title":"a","rules":[1]}', /no rules/],
    ['{"title":"a","rules":["b"],"n":1.5}', /number that is not whole/],
    ['{"title":"a","rules":["b"],"n":1e300}', /number that is not whole/],
    ['{"title":"a","rules":["b"],"x":{"ü":1}}', /not ASCII/],
    ['{"title":"a","rules":["\\ud800"]}', /lone surrogate/],
    [`{"title":"a","rules":["${'x'.repeat(65_536)}"]}`, /longer than 65536 bytes/],
  ];
  for (const [text, says] of wrong) {
    it(`refuses ${text.slice(0, 40)}`, () => {
      const read = readPolicyText(text);
      assert.ok('wrong' in read);
      assert.match(read.wrong, says);
    });
  }
});
