import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Upper bounds in seconds: most responses take single milliseconds, and time-outs end the rest within seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

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

  /** @param status `undefined` when the client disconnected before the response was complete */
  ended(operation: string, status: number | undefined, seconds: number, code: string | undefined): void {
    this.running--;
    this.duration.observe({ operation, status: status ?? 'aborted' }, seconds);
    if (code !== undefined) this.errors.inc({ code });
  }

  refusedByParser(): void {
    this.unparsable.inc();
  }
}
