export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Sets `key`, such as `http.connections_max`, in nested tables. */
export function setKey(tables: Record<string, unknown>, key: string, value: unknown): void {
  const names = key.split('.');
  const last = names.pop() ?? '';
  let table = tables;
  for (const name of names) {
    const inner = isTable(table[name]) ? table[name] : {};
    table[name] = inner;
    table = inner;
  }
  if (value !== undefined) table[last] = value;
}
