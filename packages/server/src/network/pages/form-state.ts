import { type Html, html } from '../../http/html.ts';
import type { ShownFault } from '../../http/page.ts';

/** How a form is shown: new, or again after it was refused, with what was typed. */
export type FormState = { readonly fault?: ShownFault; readonly typed?: unknown };

/** What is wrong with a field of a form as it was typed, for people. */
export type FieldWords = Readonly<Record<string, (typed: string) => string>>;

type ShownForm = {
  title: string;
  main: Html;
  /** The text that a field holds. */
  typed: (field: string) => string;
  /** Attributes of a field, which say that it is wrong if it is. */
  marks: (field: string) => Html | undefined;
  /** A field with what is wrong with it below. */
  withFault: (field: string, label: Html) => Html;
};

/** What stands above a form, and how its fields are shown. */
export function shownAgain(
  { fault, typed: given }: FormState,
  page: { title: string; lead: Html; field_words?: FieldWords; lead_if_wrong?: string },
): ShownForm {
  const { field_words = {}, lead_if_wrong } = page;
  // A textarea loses a line feed at its beginning; nobody misses it.
  const fields = new Map(Object.entries(given ?? {}));
  const typed = (field: string) => String(fields.get(field) ?? '');
  const wrong = new Map(
    (fault?.fields ?? []).flatMap((field) => {
      const words = field_words[field];
      return words ? [[field, words(typed(field))] as const] : [];
    }),
  );
  const said = wrong.size > 0 ? (lead_if_wrong ?? fault?.said) : fault?.said;
  return {
    title: fault?.heading ?? page.title,
    main: fault
      ? html`<p class="status">${fault.status}</p>
<h1>${fault.heading}</h1>
<p class="lead">${said}</p>`
      : html`<h1>${page.title}</h1>
<p class="lead">${page.lead}</p>`,
    typed,
    marks: (field) =>
      wrong.has(field) ? html` aria-invalid="true" aria-describedby="${field}-fault"` : undefined,
    withFault: (field, label) =>
      wrong.has(field)
        ? html`<div>${label}<p class="fault" id="${field}-fault">${wrong.get(field)}</p></div>`
        : label,
  };
}
