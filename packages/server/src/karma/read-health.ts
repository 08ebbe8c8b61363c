import type { Answer, karma_routes } from '@stoa/wire';
import type { Karma } from './karma.ts';
import { lastReview } from './review-store.ts';

/** The version of the interface. */
const interface_version = '1.0.0';

export async function readHealth(): Promise<Answer<typeof karma_routes.readHealth>> {
  return {
    status: 200,
    body: { status: 'ok', service: 'karma', version: interface_version },
  };
}

/** Whether the storage answers, without a word about how it is reached (D-KARMA-26). */
export async function readStorageHealth(
  karma: Karma,
): Promise<Answer<typeof karma_routes.readStorageHealth>> {
  const backend = karma.config.database_url === undefined ? 'sqlite' : 'postgres';
  const probe = await lastReview(karma.read).then(
    () => 'ok' as const,
    () => 'error' as const,
  );
  return { status: 200, body: { backend, durable: true, probe } };
}
