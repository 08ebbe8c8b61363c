/** Of routes that no `openapi.json` lists. */
export const unlisted = { schema: { hide: true } } as const;

/** What ends in a slash is another path, so no parameter is empty; and U+0000 is in no name that we keep. */
export const isNothing = (parameter: string): boolean =>
  parameter === '' || parameter.includes('\0');
