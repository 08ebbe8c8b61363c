/** Values of one statement. */
const values_max = 256;

/**
 * Lists of at most 256 of `values`, to be asked for by one statement each. They are filled up to a power of two, so
 * that few texts have to be prepared.
 */
export function* listsOf<Value>(values: readonly Value[]): Generator<Value[]> {
  for (let start = 0; start < values.length; start += values_max) {
    const list = values.slice(start, start + values_max);
    const [filler] = list;
    while (filler !== undefined && (list.length & (list.length - 1)) !== 0) list.push(filler);
    yield list;
  }
}
