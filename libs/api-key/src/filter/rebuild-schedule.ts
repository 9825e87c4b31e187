import type { ApiKeyFilterSettings } from './api-key-filter.options.js';

/** When everything is read again. Times are elapsed times in milliseconds. */
export class RebuildSchedule {
  private rebuiltAt = -Infinity;
  private dueAt = Infinity;

  constructor(
    private readonly settings: Pick<ApiKeyFilterSettings, 'rebuildEvery' | 'rebuildAfterFailure'>,
  ) {}

  isDue(now: number): boolean {
    return now >= this.dueAt;
  }

  /** Everything has been read. */
  rebuilt(now: number): void {
    this.rebuiltAt = now;
    this.dueAt = now + this.settings.rebuildEvery * (1 + Math.random() / 5);
  }

  /** Until it is back, the store may have become another one: a standby that lacks the last transactions. */
  failed(now: number): void {
    const soon = this.rebuiltAt + this.settings.rebuildAfterFailure;
    this.dueAt = Math.min(this.dueAt, Math.max(soon, now));
  }
}
