import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

let ajv: Ajv2020 | undefined;

/**
 * Compiles a JSON Schema (draft 2020-12, lengths in code points) into a check: it answers undefined for what
 * fits, else a JSON pointer to the first place that does not, or would have to stand there.
 */
export function compileSchema(schema: object): (value: unknown) => { pointer: string } | undefined {
  // When it is first asked for: a house starts without.
  let check: ValidateFunction | undefined;
  return (value) => {
    ajv ??= new Ajv2020({ strict: false, allErrors: false });
    check ??= ajv.compile(schema);
    if (check(value)) return undefined;
    const { instancePath = '', params } = check.errors?.[0] ?? {};
    const missing: unknown = params?.missingProperty;
    return { pointer: instancePath + (typeof missing === 'string' ? `/${missing}` : '') };
  };
}
