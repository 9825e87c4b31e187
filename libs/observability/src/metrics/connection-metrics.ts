import { Counter, Gauge, type Registry } from 'prom-client';

/** What is asked with each reading of the metrics. */
export interface ConnectionReadings {
  /** Open connections. */
  readonly size: number;
  /** Requests that have arrived and not begun. */
  readonly waitingRequests: number;
}

/** Connections of the public listener: how many are open, and how many were ended or not taken, and why. */
export class ConnectionMetrics {
  private readonly drops: Counter<'reason'>;
  private readings: ConnectionReadings = { size: 0, waitingRequests: 0 };

  constructor(registry: Registry) {
    const registers = [registry];
    const read = (): ConnectionReadings => this.readings;
    new Gauge({
      name: 'petstore_http_connections',
      help: 'Open connections of the public listener.',
      registers,
      collect() {
        this.set(read().size);
      },
    });
    new Gauge({
      name: 'petstore_http_requests_waiting',
      help: 'Requests that have arrived and not begun: the process is busy with others.',
      registers,
      collect() {
        this.set(read().waitingRequests);
      },
    });
    this.drops = new Counter({
      name: 'petstore_http_connections_dropped_total',
      help: 'Connections that were not taken, or were ended to make room, by reason.',
      labelNames: ['reason'],
      registers,
    });
  }

  watch(readings: ConnectionReadings): void {
    this.readings = readings;
  }

  dropped(reason: string): void {
    this.drops.inc({ reason });
  }
}
