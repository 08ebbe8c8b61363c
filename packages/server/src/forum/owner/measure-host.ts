import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import type { Metrics } from '../../metrics.ts';
import type { Forum } from '../forum.ts';
import { measure_every_ms, measures_max } from '../limits.ts';
import { databaseBytes } from './database-store.ts';

/** What the host looked like at one time, and what this process did since the time before. */
export type Measure = {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Processes that wanted a processor, over the last minute. */
  readonly load: number;
  /** Processor seconds of this process a second. */
  readonly cpu: number;
  readonly process_memory_bytes: number;
  readonly memory_used_bytes: number;
  readonly disk_free_bytes: number;
  readonly database_bytes: number;
  /** Requests to the whole house a second. */
  readonly requests: number;
};

/** What is the same all the time. */
export const processors = availableParallelism();
export const memory_bytes = totalmem();

/** Measures of the last hours, the oldest first; kept by this process and by no other. */
export type HostMeasures = {
  /** The measures so far, with one of this moment. */
  read(): Promise<readonly Measure[]>;
  /** Milliseconds since 1970 at which this process began. */
  readonly opened_at: number;
  close(): void;
};

/** The sum of a metric of the process, as it stands now. */
async function readMetric({ registry }: Metrics, name: string): Promise<number> {
  const metric = await registry.getSingleMetric(name)?.get();
  return metric?.values[0]?.value ?? 0;
}

async function countRequests({ requests }: Metrics): Promise<number> {
  const { values } = await requests.get();
  return values
    .filter(({ metricName }) => metricName?.endsWith('_count'))
    .reduce((sum, { value }) => sum + value, 0);
}

/** Begins to measure the host, once a minute. */
export function measureHost({ clock, config, logger, metrics, read }: Forum): HostMeasures {
  const kept: Measure[] = [];
  const opened_at = clock.now();
  let before = { at: opened_at, cpu_seconds: 0, requests: 0 };
  let is_closed = false;
  let cancel = () => {};

  async function measure(): Promise<Measure> {
    const at = clock.now();
    const seconds = Math.max(1, (at - before.at) / 1_000);
    const cpu_seconds = await readMetric(metrics, 'process_cpu_seconds_total');
    const requests = await countRequests(metrics);
    const { bavail, bsize } = await statfs(config.data);
    const measured: Measure = {
      at,
      load: loadavg()[0] ?? 0,
      cpu: Math.max(0, cpu_seconds - before.cpu_seconds) / seconds,
      process_memory_bytes: await readMetric(metrics, 'process_resident_memory_bytes'),
      memory_used_bytes: memory_bytes - freemem(),
      disk_free_bytes: bavail * bsize,
      database_bytes: await databaseBytes(read),
      requests: Math.max(0, requests - before.requests) / seconds,
    };
    return measured;
  }

  async function keep(): Promise<void> {
    const measured = await measure();
    kept.push(measured);
    if (kept.length > measures_max) kept.shift();
    before = {
      at: measured.at,
      cpu_seconds: await readMetric(metrics, 'process_cpu_seconds_total'),
      requests: await countRequests(metrics),
    };
  }

  function goOn(): void {
    if (is_closed) return;
    keep().catch((error: unknown) => {
      if (!is_closed) logger.warn({ err: error }, 'the host was not measured');
    });
    cancel = clock.after(measure_every_ms, goOn);
  }
  cancel = clock.after(measure_every_ms, goOn);

  return {
    opened_at,
    read: async () => [...kept, await measure()],
    close() {
      is_closed = true;
      cancel();
    },
  };
}
