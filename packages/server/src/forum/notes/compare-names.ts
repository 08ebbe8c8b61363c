/** Orders notes by name, octet by octet: names are ASCII. */
export function compareNames(a: { readonly name: string }, b: { readonly name: string }): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
