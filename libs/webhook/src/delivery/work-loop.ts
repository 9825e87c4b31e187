import type { DelivererLog } from './deliverer-log.js';

/** Between two rounds without a wake-up, for deliveries that other processes queued, or whose wake-up was lost. */
const POLL_MS = 1_000;
/** Least time between the beginnings of two rounds: what ends or comes meanwhile is one transaction, not many. */
const ROUND_GAP_MS = 10;
/** Between two checks whether all work is done, at a shutdown. */
const DRAIN_LOOK_MS = 20;

/**
 * Works in rounds, one after the other: when woken, once a second, and again at once while there is more to do. After
 * an error it waits for the second to pass, whoever wakes it.
 */
export class WorkLoop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isFailing = false;
  private isStarted = false;
  private isOver = false;
  /** On the clock of `performance.now()`. */
  private beganAt = -Infinity;

  constructor(
    private readonly round: () => Promise<boolean>,
    private readonly log: DelivererLog,
  ) {}

  start(): void {
    this.isStarted = true;
    this.sleep();
  }

  wake(): void {
    if (this.isFailing || !this.isStarted || this.isOver) return;
    this.isWoken = true;
    this.run();
  }

  wakeAfter(ms: number): void {
    setTimeout(() => {
      this.wake();
    }, ms).unref();
  }

  /** Works on until `isDone`, at most for so long, and then no more. */
  async drain(isDone: () => boolean, timeoutMs: number): Promise<void> {
    const endsAt = performance.now() + timeoutMs;
    while (this.isStarted && performance.now() < endsAt) {
      await this.running;
      if (isDone()) break;
      this.run();
      await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
    }
    this.isOver = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private run(): void {
    clearTimeout(this.timer);
    this.running ??= this.rounds().finally(() => {
      this.running = undefined;
      if (this.isWoken && !this.isFailing && !this.isOver) this.run();
      else this.sleep();
    });
  }

  private sleep(): void {
    if (this.isOver) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.run();
    }, POLL_MS);
    this.timer.unref();
  }

  private async untilNextRound(): Promise<void> {
    const ms = this.beganAt + ROUND_GAP_MS - performance.now();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    this.beganAt = performance.now();
  }

  private async rounds(): Promise<void> {
    try {
      let hasMore: boolean;
      do {
        await this.untilNextRound();
        this.isWoken = false;
        hasMore = await this.round();
      } while (hasMore && !this.isOver);
      if (this.isFailing) this.log.info({}, 'delivering webhooks works again');
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log.warn({ err: error }, 'delivering webhooks failed, retrying');
      this.isFailing = true;
    }
  }
}
