import * as limits from '../limits.ts';

type Numbers = { readonly [name: string]: number | Numbers };

function flatten(numbers: Numbers, prefix: string): [string, number][] {
  return Object.entries(numbers).flatMap(([name, value]) =>
    typeof value === 'number'
      ? [[prefix + name, value] as [string, number]]
      : flatten(value, `${prefix}${name}_`),
  );
}

/** Every number of the bar under its name, `admission.tasks` as `admission_tasks`, for the texts. */
export const limit_values: Readonly<Record<string, number>> = Object.fromEntries(
  flatten(limits, ''),
);
