const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a card's bytes; undefined if they are no UTF-8, or begin with a byte order mark. */
export function decodeCard(octets: Buffer): string | undefined {
  try {
    const text = utf8.decode(octets);
    return text.startsWith('\ufeff') ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * The value of a JSON text. Undefined if it is none, has a member twice in one object, or a text with half
 * of a surrogate pair: parsers differ in what they make of these, and a card says the same to all.
 */
export function parseCard(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isUnambiguous(text) ? value : undefined;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;

/** Whether well-formed JSON names each member once, and holds whole characters only. */
function isUnambiguous(json: string): boolean {
  /** The names seen in each open object, null for an open array. */
  const open: (Set<string> | null)[] = [];
  let may_be_name = false;
  for (const [part] of json.matchAll(token)) {
    if (part === '{' || part === '[') open.push(part === '{' ? new Set() : null);
    else if (part === '}' || part === ']') open.pop();
    else if (part.startsWith('"')) {
      const text: string = JSON.parse(part);
      if (!text.isWellFormed()) return false;
      const names = may_be_name ? open.at(-1) : null;
      if (names?.has(text)) return false;
      names?.add(text);
    }
    may_be_name = part === '{' || part === ',';
  }
  return true;
}
