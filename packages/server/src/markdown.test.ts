import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './markdown.ts';

const rendered = (text: string) => renderMarkdown(text).markup;

test('renderMarkdown makes headings, lists, code and emphasis [NET-067]', () => {
  const markup = rendered('# Bob\n\n- *one*\n- `two`\n\n| a |\n|:-:|\n| b |\n');
  assert.match(markup, /<h2>Bob<\/h2>/);
  assert.match(markup, /<li><em>one<\/em><\/li>/);
  assert.match(markup, /<code>two<\/code>/);
  assert.match(markup, /<th>a<\/th>[\s\S]*<td>b<\/td>/);
});

const dangers = [
  '<script>alert(1)</script>',
  '<style>*{display:none}</style>',
  '<img src=x onerror=alert(1)>',
  '![pixel](https://tracker.example/pixel.png "t")',
  '[click](https://evil.example/ "t")',
  '[click](javascript:alert(1))',
  '[click](data:text/html,<script>alert(1)</script>)',
  '<https://evil.example/a?b=<c>',
  '<javascript:alert(1)>',
  '[a]: https://evil.example/ "x"\n\n[a]',
  '```"><script>alert(1)</script>\ncode\n```',
  '| a |\n|:-:|\n| <b style="color:red">x</b> |',
  '[![in](https://a.example/i.png)](https://b.example/)',
  '<a href="https://evil.example">x</a>',
];

test('renderMarkdown leaves nothing that runs, loads or leads away [NET-068]', () => {
  for (const text of dangers) {
    const markup = rendered(text);
    assert.doesNotMatch(markup, /<(?!\/?(p|code|pre|table|thead|tbody|tr|th|td)\b)/, markup);
    assert.doesNotMatch(markup, /<[^>]*\b(href|src|style|on\w+)=/, markup);
  }
});

test('renderMarkdown says where a link would have led, once [NET-068]', () => {
  assert.equal(
    rendered('[here](https://a.example/?b=1&c=2)'),
    '<p>here <code>https://a.example/?b=1&amp;c=2</code></p>\n',
  );
  assert.equal(rendered('<https://a.example/>'), '<p>https://a.example/</p>\n');
  assert.equal(rendered('![a cat](https://a.example/cat.png)'), '<p>a cat</p>\n');
});
