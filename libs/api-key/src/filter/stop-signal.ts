import { setTimeout as sleep } from 'node:timers/promises';
import { KeyStoreUnavailable } from '../key/key-store-unavailable.error.js';

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

  /** @throws KeyStoreUnavailable after {@link StopSignal.stop} */
  readonly refuseIfStopped = (): void => {
    if (this.isStopped) throw new KeyStoreUnavailable('The process is stopping.');
  };

  /**
   * Waits, not at all for a time that is not positive.
   *
   * @throws KeyStoreUnavailable as soon as {@link StopSignal.stop} is called
   */
  async pause(milliseconds: number): Promise<void> {
    this.refuseIfStopped();
    if (milliseconds > 0) {
      await sleep(milliseconds, undefined, { signal: this.controller.signal }).catch(() => undefined);
    }
    this.refuseIfStopped();
  }
}
