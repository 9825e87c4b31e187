import { Gauge, type Registry } from '@petstore/observability';

/** The state of the filter of key hashes at any moment. */
export interface KeyFilterReadings {
  /** Hashes known. */
  readonly hashes: number;
  /** Milliseconds since it was last brought up to date. */
  readonly ageMs: number;
  /** Requests that wait until it is. */
  readonly waiting: number;
}

/** Size and age of the filter that tells issued keys from made-up ones, and the requests that wait for it. */
export function watchKeyFilter(registry: Registry, readings: () => KeyFilterReadings): void {
  const registers = [registry];
  new Gauge({
    name: 'petstore_api_key_filter_hashes',
    help: 'Key hashes that the filter of a process knows.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(readings().hashes);
    },
  });
  new Gauge({
    name: 'petstore_api_key_filter_age_seconds',
    help: 'Time since the filter was last brought up to date; of several processes the longest.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(readings().ageMs / 1000);
    },
  });
  new Gauge({
    name: 'petstore_api_key_filter_waiting',
    help: 'Requests with an unknown key that wait until the filter is brought up to date.',
    registers,
    collect() {
      this.set(readings().waiting);
    },
  });
}
