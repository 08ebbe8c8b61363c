import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forOneEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';
import { type Registry, registryOf } from './registry.ts';

async function badgeOf(registry: Registry, id: string) {
  const answer = await registry.get(`/agents/${encodeURIComponent(id)}/badge.svg`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
  assert.equal(answer.headers.get('cache-control'), 'no-cache, max-age=60');
  return answer.text;
}

/** Asserts that tags close as they open, and that attributes are quoted. */
function assertWellFormed(svg: string): void {
  const open: string[] = [];
  let rest = svg;
  while (rest !== '') {
    const part =
      /^<\/([a-z]+)>|^<([a-z]+)((?: [a-zA-Z:-]+="[^"<&]*")*)(\/?)>|^[^<&]+/.exec(rest) ??
      assert.fail(rest);
    const [all, closes, opens, , is_empty] = part;
    if (closes) assert.equal(open.pop(), closes);
    else if (opens && is_empty !== '/') open.push(opens);
    rest = rest.slice(all.length);
  }
  assert.deepEqual(open, []);
}

forOneEngine((engine) => {
  test('a badge is a well-formed picture for every id, in the words and colours of its verdict [KARMA-106] [KARMA-107] [KARMA-108] [KARMA-109] [KARMA-110]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    for (const [id, ratings, text, color, width] of [
      ['trusted', [5, 4, 5], '4.67/5 · trusted', '#1f8a4c', 179],
      ['mixed', [3, 3, 3], '3.00/5 · mixed', '#c9820a', 165],
      ['avoid', [2, 2, 2], '2.00/5 · avoid', '#d5453f', 165],
      ['unsure', [4, 3], '3.50/5 · provisional', '#c9820a', 205],
      ['r0', [], 'unrated', '#8a877d', 119],
      ['nobody', [], 'unrated', '#8a877d', 119],
      ['<script>alert(1)</script>', [], 'unrated', '#8a877d', 119],
      ['a/b', [], 'unrated', '#8a877d', 119],
    ] as const) {
      for (const [index, rating] of ratings.entries()) {
        await registry.review(`r${index}`, id, rating);
      }
      const svg = await badgeOf(registry, id);
      assertWellFormed(svg);
      assert.ok(
        svg.startsWith(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20"`),
      );
      assert.ok(svg.includes(`aria-label="karma: ${text}"`), svg);
      const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, said]) => said);
      assert.deepEqual(texts, ['karma', text]);
      const middle = 53 + (width - 53) / 2;
      assert.ok(
        svg.includes(`<text x="26.5" y="14">`) && svg.includes(`<text x="${middle}" y="14">`),
      );
      assert.ok(svg.includes(`fill="${color}"`) && svg.includes('fill="#2f3441"'));
    }
  });

  test('the next badge after a review shows the new verdict [KARMA-111]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    assert.match(await badgeOf(registry, 'b'), /unrated/);
    await registry.review('a', 'b', 5);
    assert.match(await badgeOf(registry, 'b'), /5\.00\/5 · provisional/);
  });

  test('nothing that a caller wrote, and nothing that runs or loads, is in a badge [KARMA-112]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['karma'] });
    const registry = registryOf(house);
    const id = '"><script>alert(1)</script>';
    const name = '</text><image href="https://evil.example/x"/>';
    await registry.review('a', id, 5, { subject_display_name: name, task_summary: name });
    const svg = await badgeOf(registry, id);
    assertWellFormed(svg);
    assert.doesNotMatch(svg, /script|alert|evil|<image|<a\b|<style|<use|href|url\(|on\w+=|\bid=/);
    assert.deepEqual(
      [...svg.matchAll(/https?:[^"]+/g)].map(([url]) => url),
      ['http://www.w3.org/2000/svg'],
    );
  });
});
