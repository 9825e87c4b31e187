import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Upper bounds in seconds: most responses take single milliseconds, and time-outs end the rest within seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Status of a request whose client disconnected before its response was complete. */
export const ABORTED = 'aborted';

/** Rate, errors and duration of requests: `..._count` of the histogram is the rate. */
export class RequestMetrics {
  private readonly duration: Histogram<'operation' | 'status'>;
  private readonly errors: Counter<'code'>;
  private readonly unparsable: Counter;
  /** Requests that are being worked on: until their response is out, or their client gone. */
  private running = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    this.duration = new Histogram({
      name: 'petstore_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its response.',
      labelNames: ['operation', 'status'],
      buckets: BUCKETS,
      registers,
    });
    this.errors = new Counter({
      name: 'petstore_http_errors_total',
      help: 'Requests answered with an error, by its code.',
      labelNames: ['code'],
      registers,
    });
    this.unparsable = new Counter({
      name: 'petstore_http_unparsable_requests_total',
      help: 'Requests that the HTTP parser refused, or that did not arrive in time.',
      registers,
    });
    const current = (): number => this.running;
    new Gauge({
      name: 'petstore_http_requests_in_flight',
      help: 'Requests that are being worked on.',
      registers,
      collect() {
        this.set(current());
      },
    });
  }

  begun(): void {
    this.running++;
  }

  /** @param status the response's, or {@link ABORTED} */
  ended(operation: string, status: number | typeof ABORTED, seconds: number, code: string | undefined): void {
    this.running--;
    this.duration.observe({ operation, status }, seconds);
    if (code !== undefined) this.errors.inc({ code });
  }

  refusedByParser(): void {
    this.unparsable.inc();
  }
}

/** Connections of the public listener: how many are open, and how many were not taken. */
export class ConnectionMetrics {
  private readonly open: Gauge;
  private readonly drops: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.open = new Gauge({
      name: 'petstore_http_connections',
      help: 'Open connections of the public listener.',
      registers,
    });
    this.drops = new Counter({
      name: 'petstore_http_connections_dropped_total',
      help: 'Connections that were not taken, because there are as many as there may be.',
      registers,
    });
  }

  opened(): void {
    this.open.inc();
  }

  closed(): void {
    this.open.dec();
  }

  dropped(): void {
    this.drops.inc();
  }
}
