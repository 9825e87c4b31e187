import { AggregatorRegistry, type Registry } from 'prom-client';

/** Metrics of a process as they travel: what `getMetricsAsJSON` of its registry gives. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Only these go on counting when a process is gone; a gauge describes the moment. */
const LASTING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

/**
 * The metrics of several processes as if they were those of one. Each metric says by its `aggregator` whether
 * it is added up, or whether the greatest or the mean counts.
 *
 * What a process has counted stays in the sums when it ends: a counter that goes back is read as a restart,
 * and all that the others have counted as having happened anew.
 */
export class MergedMetrics {
  /** What each process said last. */
  private readonly last = new Map<number, MetricsSnapshot>();
  private ofEnded: MetricsSnapshot = [];

  /** @param snapshots of the processes that have replied, by process id */
  text(snapshots: ReadonlyMap<number, MetricsSnapshot>): Promise<string> {
    for (const [pid, snapshot] of snapshots) this.last.set(pid, snapshot);
    const silent = [...this.last.keys()].filter((pid) => !snapshots.has(pid));
    return merge([
      ...snapshots.values(),
      ...silent.map((pid) => lasting(this.last.get(pid))),
      this.ofEnded,
    ]).metrics();
  }

  /** To be called for each process that is gone. */
  ended(pid: number): void {
    this.ofEnded = merge([this.ofEnded, lasting(this.last.get(pid))]).getMetricsAsArray() as MetricsSnapshot;
    this.last.delete(pid);
  }
}

function merge(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots]);
}

function lasting(snapshot: MetricsSnapshot = []): MetricsSnapshot {
  return snapshot.filter(({ type }) => LASTING.has(type));
}
