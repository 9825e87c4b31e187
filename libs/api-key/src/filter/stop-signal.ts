import { setTimeout as sleep } from 'node:timers/promises';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';

/** Ends what is read regularly. */
export class StopSignal {
  private readonly controller = new AbortController();

  get isStopped(): boolean {
    return this.controller.signal.aborted;
  }

  /** Ends every pause; from now on everything is refused. */
  stop(): void {
    this.controller.abort();
  }

  /** @throws KeyStoreUnavailableError after {@link StopSignal.stop} */
  readonly refuseIfStopped = (): void => {
    if (this.isStopped) throw new KeyStoreUnavailableError('The process is stopping.');
  };

  /**
   * Waits, not at all for a time that is not positive.
   *
   * @throws KeyStoreUnavailableError as soon as {@link StopSignal.stop} is called
   */
  async pause(milliseconds: number): Promise<void> {
    this.refuseIfStopped();
    if (milliseconds > 0) {
      await sleep(milliseconds, undefined, { signal: this.controller.signal }).catch(() => undefined);
    }
    this.refuseIfStopped();
  }
}
