import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client';

/** What the process can be asked at any moment. */
export interface ProcessReadings {
  /** Version of the service. */
  readonly version: string;
  /** Connections of the database pool, and requests that wait for one. */
  readonly pool: () => { readonly total: number; readonly idle: number; readonly waiting: number };
  /**
   * Milliseconds that the replica of the database may be behind, and `alone` as its state while it serves reads because the
   * primary does not respond; `undefined` where there is none.
   */
  readonly replica: () => { readonly ageMs: number; readonly state: string } | undefined;
  /** Whether the service can serve. */
  readonly isReady: () => Promise<boolean>;
  /** Lines of the log that were lost because they could not be written. */
  readonly droppedLogLines: () => number;
}

/**
 * Memory, event loop, garbage collection, file descriptors and build of the process, and its database pool.
 * Measured only where it is read: switched on with the management listener. `aggregator` says what several
 * processes behind one listener have together; without it they add up.
 */
export function watchProcess(registry: Registry, readings: ProcessReadings): void {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'petstore_build_info',
    help: 'Always 1; the labels say what is running.',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers,
  }).set({ version: readings.version, node: process.version }, 1);
  new Gauge({
    name: 'petstore_database_connections',
    help: 'Connections of the database pool.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle } = readings.pool();
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'busy' }, total - idle);
    },
  });
  new Gauge({
    name: 'petstore_database_waiting',
    help: 'Statements that wait for a connection of the pool.',
    registers,
    collect() {
      this.set(readings.pool().waiting);
    },
  });
  new Gauge({
    name: 'petstore_database_replica_age_seconds',
    help: 'How far the replica of the database may be behind, +Inf when that is not known; of several processes the most. Without a replica there is no value.',
    aggregator: 'max',
    registers,
    collect() {
      const replica = readings.replica();
      this.reset();
      if (replica !== undefined) this.set({}, replica.ageMs / 1_000);
    },
  });
  new Gauge({
    name: 'petstore_database_replica_alone',
    help: 'Whether the replica of the database serves reads because the primary does not respond: 1 or 0. Without a replica there is no value.',
    aggregator: 'max',
    registers,
    collect() {
      const replica = readings.replica();
      this.reset();
      if (replica !== undefined) this.set({}, replica.state === 'alone' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'petstore_ready',
    help: 'Whether the service can serve: 1 or 0.',
    aggregator: 'max',
    registers,
    async collect() {
      this.set((await readings.isReady()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'petstore_processes',
    help: 'Processes that serve behind this listener.',
    registers,
  }).set(1);
  let last = performance.eventLoopUtilization();
  new Gauge({
    name: 'petstore_event_loop_utilization',
    help: 'Share of the time since the last reading in which the event loop was busy, 0 to 1; of several processes the busiest.',
    aggregator: 'max',
    registers,
    collect() {
      const current = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(current, last).utilization);
      last = current;
    },
  });
  new Counter({
    name: 'petstore_log_lines_dropped_total',
    help: 'Lines of the log that were lost because they could not be written.',
    registers,
    collect() {
      this.reset();
      this.inc(readings.droppedLogLines());
    },
  });
}
