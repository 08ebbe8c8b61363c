import { type Html, html } from '../../http/html.ts';
import type { ShownFault } from '../../http/page.ts';

/** How a form is shown: new, or again after it was refused, with what was typed. */
export type FormState = { readonly fault?: ShownFault; readonly typed?: unknown };

/** What stands above a form, and the text that a field holds. */
export function shownAgain(
  { fault, typed }: FormState,
  page: { title: string; lead: Html },
): { title: string; main: Html; typed: (field: string) => string } {
  // A textarea loses a line feed at its beginning; nobody misses it.
  const fields = new Map(Object.entries(typed ?? {}));
  return {
    title: fault?.heading ?? page.title,
    main: fault
      ? html`<p class="status">${fault.status}</p>
<h1>${fault.heading}</h1>
<p class="lead">${fault.said}</p>`
      : html`<h1>${page.title}</h1>
<p class="lead">${page.lead}</p>`,
    typed: (field) => String(fields.get(field) ?? ''),
  };
}
