import { availableParallelism } from 'node:os';
import type { Log } from '../logging/log.js';
import { WorkerHandle } from './worker-handle.js';

/** Spare processes are kept ready: one, and one more for each worker that died within the window ... */
const DEATH_WINDOW_MS = 10_000;
/** ... up to so many. Each takes about 100 MB. */
const MAX_SPARES = 3;

/** Pause before a spare that ended by itself, or could not be forked, is replaced. */
const RETRY_MS = 5_000;

/**
 * Processes that have loaded the program, which takes longer than the rest of a start, and wait to replace a worker
 * that dies. They have no connections and listen on no port.
 */
export class SpareWorkers {
  /** Oldest first. */
  private readonly spares = new Set<WorkerHandle>();
  /** Processes that use a core now: they load the program, or start to serve. */
  private busy = 0;
  /** When workers died within the window, in milliseconds of `performance.now()`. */
  private deaths: number[] = [];
  private retryTimer: NodeJS.Timeout | undefined;
  private calmTimer: NodeJS.Timeout | undefined;
  private isEnabled = false;

  /** @param options of tests: the window of deaths that count, and how many processes may be busy at once */
  constructor(
    private readonly log: Log,
    private readonly options = { windowMs: DEATH_WINDOW_MS, maxBusy: availableParallelism() },
  ) {}

  /** Keeps spares from now on. */
  enable(): void {
    this.isEnabled = true;
    this.fill();
  }

  /** Kills all spares, and makes no more; resolves when they are gone. */
  async stop(): Promise<void> {
    this.isEnabled = false;
    clearTimeout(this.retryTimer);
    clearTimeout(this.calmTimer);
    const spares = [...this.spares];
    for (const spare of spares) spare.kill('SIGKILL');
    await Promise.all(spares.map(({ exited }) => exited));
  }

  /**
   * A process to serve: a spare if there is one, else a new one. The process counts as busy until it serves or ends.
   *
   * @throws what forking throws
   */
  take(): WorkerHandle {
    const [oldest] = this.spares;
    const worker = [...this.spares].find(({ isLoaded }) => isLoaded) ?? oldest ?? this.fork();
    this.spares.delete(worker);
    // One that still loads is counted already, and from then on until it serves.
    if (worker.isLoaded) this.occupy(worker.ready);
    else {
      void worker.loaded.then(() => {
        this.occupy(worker.ready);
      });
    }
    this.fill();
    return worker;
  }

  /** Keeps more spares for a while. */
  noteDeath(): void {
    this.deaths.push(performance.now());
    if (this.deaths.length > MAX_SPARES) this.deaths.shift();
    clearTimeout(this.calmTimer);
    this.calmTimer = setTimeout(() => {
      this.discardSurplus();
    }, this.options.windowMs).unref();
  }

  private get wanted(): number {
    const since = performance.now() - this.options.windowMs;
    return Math.min(1 + this.deaths.filter((time) => time > since).length, MAX_SPARES);
  }

  /** Not more at once than there are cores: processes that load on the same core are all late. */
  private fill(): void {
    if (this.retryTimer !== undefined) return;
    while (this.isEnabled && this.spares.size < this.wanted && this.busy < this.options.maxBusy) {
      try {
        this.add(this.fork());
      } catch (error) {
        // No memory for another process, for example; those that serve must not suffer from it.
        this.log.error({ err: error, nextMs: RETRY_MS }, 'worker failed to start, retrying');
        this.fillLater();
        return;
      }
    }
  }

  private add(spare: WorkerHandle): void {
    this.spares.add(spare);
    void spare.exited.then(() => {
      if (this.spares.delete(spare)) this.fillLater();
    });
  }

  private fillLater(): void {
    if (!this.isEnabled) return;
    this.retryTimer ??= setTimeout(() => {
      this.retryTimer = undefined;
      this.fill();
    }, RETRY_MS).unref();
  }

  /** Called when no worker has died for a whole window: a timer may fire a moment before the clock says so. */
  private discardSurplus(): void {
    this.deaths = [];
    for (const spare of [...this.spares].slice(this.wanted)) {
      this.spares.delete(spare);
      spare.kill('SIGKILL');
    }
  }

  private fork(): WorkerHandle {
    const worker = WorkerHandle.fork();
    this.occupy(Promise.race([worker.loaded, worker.exited]));
    return worker;
  }

  private occupy(until: Promise<unknown>): void {
    this.busy++;
    const release = (): void => {
      this.busy--;
      this.fill();
    };
    until.then(release, release);
  }
}
