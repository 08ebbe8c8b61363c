/**
 * Puts `values` into the `{{name}}` places of a text. A name without a value is a slip of whoever wrote
 * the text, and throws.
 */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the text asks for ${name}, which has no value`);
    return String(value);
  });
}
