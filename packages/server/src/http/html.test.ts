import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Html, html } from './html.ts';

test('html escapes every value, for text and for quoted attributes', () => {
  const hostile = `<b title="x" class='y'>&amp;`;
  assert.equal(
    html`<p title="${hostile}">${hostile}</p>`.markup,
    '<p title="&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;">&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;</p>',
  );
});

test('html leaves markup of its own as it is, joins lists, and shows nothing for nothing', () => {
  const item = (text: string) => html`<li>${text}</li>`;
  assert.equal(
    html`<ul>${['<', '>'].map(item)}</ul>`.markup,
    '<ul><li>&lt;</li><li>&gt;</li></ul>',
  );
  assert.equal(html`a${undefined}b${false}c${0}d${''}e${[]}f`.markup, 'abc0def');
  assert.equal(html`${new Html('<i>')}${[html`<b>`, 1, [html`<u>`]]}`.markup, '<i><b>1<u>');
  assert.equal(html``.markup, '');
});
