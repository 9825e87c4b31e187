import { StoreUnavailableError } from '@petstore/pet-domain';
import pLimit, { type LimitFunction } from 'p-limit';

/**
 * Runs at most a few tasks of one key at a time in this process, the others in order of arrival. Requests that need the
 * lock of the same row wait here, and not on a database connection each.
 */
export class KeyedLimit {
  private readonly limits = new Map<string, LimitFunction>();

  /**
   * @param concurrency most tasks of one key at a time; may change
   * @param waitMs a task that could not start in this time is rejected
   */
  constructor(
    private readonly concurrency: number | (() => number),
    private readonly waitMs: number,
  ) {}

  private get max(): number {
    return typeof this.concurrency === 'number' ? this.concurrency : this.concurrency();
  }

  /** @throws {StoreUnavailableError} the task was not started */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const { max } = this;
    const limit = this.limits.get(key) ?? pLimit(max);
    this.limits.set(key, limit);
    if (limit.concurrency !== max) limit.concurrency = max;
    const since = performance.now();
    try {
      return await limit(() => {
        if (performance.now() - since > this.waitMs)
          throw new StoreUnavailableError('Too many requests wait for the same resource.');
        return task();
      });
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.limits.delete(key);
    }
  }
}
