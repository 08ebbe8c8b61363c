import type { Logger } from 'pino';
import type { Caches } from './cache/caches.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Limits } from './limits/limits.ts';
import type { Log } from './log/log.ts';
import type { Waiters } from './log/waiters.ts';
import type { Metrics } from './metrics.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { Random } from './random.ts';
import type { Signatures } from './signatures/signatures.ts';
import type { RowBuffer } from './storage/row-buffer.ts';
import type { Db, Transact } from './storage/storage.ts';
import type { Urls } from './urls.ts';

/** Everything a use case may lean on; built once, in house.ts. */
export type Deps = {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly log: Log;
  readonly transact: Transact;
  readonly read: Db;
  /** Opens a buffer of rows that `write` writes before the commit of each batch. */
  readonly rowBuffer: <Row>(
    write: (db: Db, rows: readonly Row[]) => Promise<void>,
  ) => RowBuffer<Row>;
  readonly caches: Caches;
  readonly waiters: Waiters;
  readonly jobs: Jobs;
  readonly limits: Limits;
  readonly signatures: Signatures;
  /** Calls to addresses that others gave us. */
  readonly outbound: Outbound;
  readonly metrics: Metrics;
  readonly urls: Urls;
  /** Holds every answer to what its route documents, and fails it otherwise; on in tests. */
  readonly checks_answers: boolean;
  /** The house's own secret, 32 bytes, the same for all its processes. */
  readonly house_key: Buffer;
};
