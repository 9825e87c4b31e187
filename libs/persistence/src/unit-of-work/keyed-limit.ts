import { StoreUnavailableError } from '@petstore/pet-domain';
import pLimit, { type LimitFunction } from 'p-limit';

/**
 * Runs at most a few tasks of one key at a time in this process, the others in order of arrival. Requests that need the
 * lock of the same row wait here, and not on a database connection each.
 */
export class KeyedLimit {
  private readonly limits = new Map<string, LimitFunction>();

  /**
   * @param max most tasks of one key at a time
   * @param waitMs a task that could not start in this time is rejected
   */
  constructor(
    private readonly max: number,
    private readonly waitMs: number,
  ) {}

  /** @throws {StoreUnavailableError} the task was not started */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const limit = this.limits.get(key) ?? pLimit(this.max);
    this.limits.set(key, limit);
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
