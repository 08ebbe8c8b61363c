import { isoInstant } from '../../clock.ts';

const digits = /^[0-9]{1,12}$/;
const rfc_3339 =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}):([0-9]{2})(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$/;

const second_ms = 1_000;
const leap_second = '60';

/**
 * The instant, in milliseconds, that a `ts` names: RFC 3339 with an offset, or whole Unix seconds
 * (D-NET-26). Undefined for every other text, and for days and hours that there are not.
 */
export function readInstant(ts: string): number | undefined {
  if (digits.test(ts)) return Number(ts) * second_ms;
  const [, date, minute, second, fraction = '', offset] = rfc_3339.exec(ts) ?? [];
  if (date === undefined) return undefined;
  // The language's own reader rolls the 30th of February over into March.
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight) || !isoInstant(midnight).startsWith(date)) return undefined;
  const is_leap = second === leap_second;
  const of_minute = is_leap ? '59' : second;
  const at = Date.parse(
    `${date}T${minute}:${of_minute}${fraction.slice(0, 4)}${offset?.toUpperCase()}`,
  );
  if (Number.isNaN(at) || minute?.startsWith('24')) return undefined;
  return is_leap ? at + second_ms : at;
}
