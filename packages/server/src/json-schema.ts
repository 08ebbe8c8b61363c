import { Ajv2020 } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ strict: false, allErrors: false });

/**
 * Compiles a JSON Schema (draft 2020-12, lengths in code points) into a check: it answers undefined for what
 * fits, else a JSON pointer to the first place that does not, or would have to stand there.
 */
export function compileSchema(schema: object): (value: unknown) => { pointer: string } | undefined {
  const check = ajv.compile(schema);
  return (value) => {
    if (check(value)) return undefined;
    const { instancePath = '', params } = check.errors?.[0] ?? {};
    const missing: unknown = params?.missingProperty;
    return { pointer: instancePath + (typeof missing === 'string' ? `/${missing}` : '') };
  };
}
