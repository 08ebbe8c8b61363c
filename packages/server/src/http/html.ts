/** Markup that is safe to send. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Shown = string | number | Html | undefined | false | readonly Shown[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function show(value: Shown): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (found) => escapes[found] ?? '');
  if (typeof value === 'number') return String(value);
  return value.map(show).join('');
}

/**
 * Template tag for markup: every value is escaped, for text and for quoted attributes, unless it is
 * `Html` itself; lists are joined, `undefined` and `false` leave nothing.
 */
export function html(parts: TemplateStringsArray, ...values: Shown[]): Html {
  return new Html(parts.reduce((markup, part, index) => markup + show(values[index - 1]) + part));
}
