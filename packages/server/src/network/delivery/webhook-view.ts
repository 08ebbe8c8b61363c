import type { network_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { isoInstant } from '../../clock.ts';
import type { LogRow, WebhookRow } from './webhook-store.ts';

/** A webhook as its owner sees it: of each attempt no more than how it ended (NET-177). */
export function webhookView(
  { url, created_at, failed_in_a_row, disabled_at }: WebhookRow,
  log: readonly LogRow[],
): Static<typeof network_schemas.Webhook> {
  return {
    url,
    enabled: disabled_at === null,
    created_at: isoInstant(created_at),
    failed_in_a_row,
    disabled_at: disabled_at === null ? null : isoInstant(disabled_at),
    log: log.map(({ at, event, attempt, outcome }) => ({
      at: isoInstant(at),
      event,
      attempt,
      outcome,
    })),
  };
}
