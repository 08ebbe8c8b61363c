import type { Deps } from '../../deps.ts';
import type { Places } from '../../limits/limits.ts';
import { agent_waits_max, house_waits_max_default, wait_seconds_max } from '../limits.ts';

export type { Places };

/** An answer may be this much later than its wait has ended. */
const late_max_ms = 10_000;

/** Places for reads that are held, shared by all processes of the house (D-BAR-49). */
export function openPlaces({ config, limits }: Deps): Places {
  // @NOTE The house checked the table by the schema of the bar's settings.
  const settings = config.rooms.bar?.settings as { long_polls: number } | undefined;
  return limits.places({
    name: 'bar-waits',
    key_places_max: agent_waits_max,
    places_max: settings?.long_polls ?? house_waits_max_default,
    hold_max_ms: wait_seconds_max * 1_000 + late_max_ms,
  });
}
