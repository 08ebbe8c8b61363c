import MarkdownIt from 'markdown-it';
import { Html } from './http/html.ts';

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { renderer } = markdown;
const { escapeHtml } = markdown.utils;

/** The addresses of the links that are open in each text that is being rendered. */
const open_links = new WeakMap<object, string[]>();

// A link is its text and where it would have led; nobody is led there by a click.
renderer.rules.link_open = (tokens, index, _options, env) => {
  if (env) open_links.get(env)?.push(String(tokens[index]?.attrGet('href') ?? ''));
  return '';
};
renderer.rules.link_close = (tokens, index, _options, env) => {
  const href = (env && open_links.get(env)?.pop()) ?? '';
  const is_its_own_text = tokens[index - 1]?.content === href;
  return is_its_own_text ? '' : ` <code>${escapeHtml(href)}</code>`;
};
// A picture is what it is said to show.
renderer.rules.image = (tokens, index) => escapeHtml(tokens[index]?.content ?? '');
// One level below, for the page around it has the first.
const shownLevel = (tag = 'h1') => `h${Math.min(6, Number(tag.slice(1)) + 1)}`;
renderer.rules.heading_open = (tokens, index) => `<${shownLevel(tokens[index]?.tag)}>`;
renderer.rules.heading_close = (tokens, index) => `</${shownLevel(tokens[index]?.tag)}>\n`;
// Without the style that would align them.
renderer.rules.th_open = () => '<th>';
renderer.rules.td_open = () => '<td>';

/**
 * Markdown of strangers as markup that does nothing: no markup, script or style of their own, no picture
 * is fetched, no link leads anywhere. Bound the text's length first.
 */
export function renderMarkdown(text: string): Html {
  const env = {};
  open_links.set(env, []);
  return new Html(markdown.render(text, env));
}
