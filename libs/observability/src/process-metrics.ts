import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, type GaugeConfiguration, type Registry } from 'prom-client';

/** Values that metrics read from the process. */
export interface ProcessReadings {
  /** Version of the service. */
  readonly version: string;
  /** Statements so far that the database refused because its disk is full. */
  readonly diskFullErrors: () => number;
  /** Connections of the database pool, and requests that wait for one. */
  readonly pool: () => { readonly total: number; readonly idle: number; readonly waiting: number };
  /**
   * Milliseconds that the replica of the database may be behind, and `standalone` as its state while it serves reads because the
   * primary does not respond; `undefined` where there is none.
   */
  readonly replica: () => { readonly ageMs: number; readonly state: string } | undefined;
  /** Whether the service can serve. */
  readonly isReady: () => Promise<boolean>;
  /** How the runs of each scheduled job have ended in this process; empty where it runs none. */
  readonly jobs: () => readonly {
    readonly name: string;
    readonly intervalMs: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly notStarted: number;
    readonly sinceSuccessMs: number;
  }[];
  /** Lines of the log that were lost because they could not be written. */
  readonly droppedLogLines: () => number;
}

/**
 * Memory, event loop, garbage collection, file descriptors and build of the process, and its database pool.
 * Measured only where it is read: switched on with the management listener.
 */
export function watchProcess(registry: Registry, readings: ProcessReadings): void {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'petstore_build_info',
    help: 'Always 1; the labels say what is running.',
    labelNames: ['version', 'node'],
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
  new Counter({
    name: 'petstore_log_lines_dropped_total',
    help: 'Lines of the log that were lost because they could not be written.',
    registers,
    collect() {
      this.reset();
      this.inc(readings.droppedLogLines());
    },
  });
  new Counter({
    name: 'petstore_database_disk_full_total',
    help: 'Statements that PostgreSQL refused because the disk of its data is full.',
    registers,
    collect() {
      this.reset();
      this.inc(readings.diskFullErrors());
    },
  });
  watchJobs(registry, readings.jobs);
  const gauge = (
    { name, help }: Pick<GaugeConfiguration<string>, 'name' | 'help'>,
    read: () => number | undefined | Promise<number>,
  ): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await read();
        // By itself a gauge without a value is 0.
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  gauge(
    {
      name: 'petstore_database_waiting',
      help: 'Statements and transactions that wait for a connection.',
    },
    () => readings.pool().waiting,
  );
  gauge(
    {
      name: 'petstore_database_replica_age_seconds',
      help: 'How far the replica of the database may be behind, +Inf when that is not known. Without a replica there is no value.',
    },
    () => {
      const { ageMs } = readings.replica() ?? {};
      return ageMs === undefined ? undefined : ageMs / 1_000;
    },
  );
  gauge(
    {
      name: 'petstore_database_replica_alone',
      help: 'Whether the replica of the database serves reads because the primary does not respond: 1 or 0. Without a replica there is no value.',
    },
    () => {
      const replica = readings.replica();
      return replica && Number(replica.state === 'standalone');
    },
  );
  gauge(
    {
      name: 'petstore_ready',
      help: 'Whether the service can serve: 1 or 0.',
    },
    async () => Number(await readings.isReady()),
  );
  let last = performance.eventLoopUtilization();
  gauge(
    {
      name: 'petstore_event_loop_utilization',
      help: 'Share of the time since the last reading in which the event loop was busy, 0 to 1.',
    },
    () => {
      const current = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(current, last);
      last = current;
      return utilization;
    },
  );
}

/** The label is not `job`, which Prometheus gives to what it scrapes. */
function watchJobs(registry: Registry, jobs: ProcessReadings['jobs']): void {
  const registers = [registry];
  const labelNames = ['scheduled_job'] as const;
  new Counter({
    name: 'petstore_scheduled_job_runs_total',
    help: 'Runs of a scheduled job in this process by their outcome: succeeded, failed, or not_started because the database could not be asked.',
    labelNames: [...labelNames, 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const { name, succeeded, failed, notStarted } of jobs()) {
        this.inc({ scheduled_job: name, outcome: 'succeeded' }, succeeded);
        this.inc({ scheduled_job: name, outcome: 'failed' }, failed);
        this.inc({ scheduled_job: name, outcome: 'not_started' }, notStarted);
      }
    },
  });
  new Gauge({
    name: 'petstore_scheduled_job_success_age_seconds',
    help: 'Time since the last success of a scheduled job in this process, or since its start. One process at a time runs a job: the least of all processes counts.',
    labelNames,
    registers,
    collect() {
      for (const { name, sinceSuccessMs } of jobs())
        this.set({ scheduled_job: name }, sinceSuccessMs / 1_000);
    },
  });
  new Gauge({
    name: 'petstore_scheduled_job_interval_seconds',
    help: 'Time from the beginning of a run of a scheduled job to that of the next one.',
    labelNames,
    registers,
    collect() {
      for (const { name, intervalMs } of jobs()) this.set({ scheduled_job: name }, intervalMs / 1_000);
    },
  });
}
