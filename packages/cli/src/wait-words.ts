const minute_s = 60;
const hour_s = 60 * minute_s;
const day_s = 24 * hour_s;

/** How long to wait, in words. */
export function waitWords(seconds: number): string {
  const [unit, unit_s] =
    seconds < 100
      ? (['second', 1] as const)
      : seconds < 100 * minute_s
        ? (['minute', minute_s] as const)
        : seconds < 2 * day_s
          ? (['hour', hour_s] as const)
          : (['day', day_s] as const);
  const count = Math.ceil(seconds / unit_s);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
