import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the house counts about itself, as Prometheus reads it. */
export type Metrics = {
  readonly registry: Registry;
  readonly requests: Histogram<'room' | 'route' | 'status'>;
  /** Adds a number that is read when the metrics are. */
  gauge(name: string, help: string, read: () => number): void;
  /** Adds a counter. */
  counter<Label extends string>(name: string, help: string, labels: Label[]): Counter<Label>;
};

/** Metrics of one house, with those of its process. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'stoa_http_request_seconds',
      help: 'Time from the request to the end of its answer',
      labelNames: ['room', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    }),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    counter: (name, help, labelNames) =>
      new Counter({ name, help, labelNames, registers: [registry] }),
  };
}
