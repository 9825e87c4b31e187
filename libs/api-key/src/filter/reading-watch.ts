import type { Clock } from '../clock/clock.js';
import type { ApiKeyFilterOptions } from './api-key-filter.options.js';
import type { RebuildSchedule } from './rebuild-schedule.js';
import type { StopSignal } from './stop-signal.js';

/** Reports the first failure of readings, and the first success after it; a failure brings the next rebuild forward. */
export class ReadingWatch {
  private isFailing = false;

  constructor(
    private readonly schedule: RebuildSchedule,
    private readonly stopping: StopSignal,
    private readonly clock: Clock,
    private readonly observer: Pick<ApiKeyFilterOptions, 'onFailure' | 'onRecovery'>,
  ) {}

  /** Rejects with what the reading rejects with, or KeyStoreUnavailableError once the process is stopping. */
  async run(reading: () => Promise<void>): Promise<void> {
    try {
      this.stopping.refuseIfStopped();
      await reading();
    } catch (error) {
      this.schedule.failed(this.clock.elapsed());
      if (!this.isFailing && !this.stopping.isStopped) this.observer.onFailure?.(error);
      this.isFailing = true;
      throw error;
    }
    if (this.isFailing) this.observer.onRecovery?.();
    this.isFailing = false;
  }
}
