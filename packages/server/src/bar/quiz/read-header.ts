/** What a request says to a quiz: all before the first colon is the id, all after it the answer. */
export type QuizAnswer = { readonly quiz_id: string; readonly answer: string };

/** Reads the header `X-Korova-Quiz`; an empty one counts as none (D-BAR-69). */
export function readHeader(header: string | string[] | undefined): QuizAnswer | undefined {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  if (text === '') return undefined;
  const [quiz_id = '', ...rest] = text.split(':');
  return { quiz_id, answer: rest.join(':') };
}
