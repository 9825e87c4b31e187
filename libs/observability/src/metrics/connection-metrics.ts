import { Counter, Gauge, type Registry } from 'prom-client';

/** Connections of the public listener: how many are open, and how many were ended or not taken, and why. */
export class ConnectionMetrics {
  private readonly drops: Counter<'reason'>;
  private readOpen: () => number = () => 0;

  constructor(registry: Registry) {
    const registers = [registry];
    const open = (): number => this.readOpen();
    new Gauge({
      name: 'petstore_http_connections',
      help: 'Open connections of the public listener.',
      registers,
      collect() {
        this.set(open());
      },
    });
    this.drops = new Counter({
      name: 'petstore_http_connections_dropped_total',
      help: 'Connections that were not taken, or were ended to make room, by reason.',
      labelNames: ['reason'],
      registers,
    });
  }

  /** @param readOpen how many connections are open, asked with each reading of the metrics */
  watch(readOpen: () => number): void {
    this.readOpen = readOpen;
  }

  dropped(reason: string): void {
    this.drops.inc({ reason });
  }
}
