import { LoopTimer } from './loop-timer.js';
import { QueueTimeoutError } from './no-answer.error.js';

/**
 * Bounds how many tasks of one kind hold connections of the shared pool at a time, so that tasks which wait for a
 * lock leave the rest of the pool to others. Further tasks wait in a queue, for a bounded time.
 *
 * Unlike a plain semaphore it refuses a task that has waited too long, with an error of the database, on the clock
 * of {@link LoopTimer}; that is why it shares no code with the semaphore of the API keys.
 */
export class Bulkhead {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param most at a time
   * @param queueTimeoutMs how long a task may wait for its turn
   */
  constructor(
    private readonly most: number,
    private readonly queueTimeoutMs: number,
  ) {}

  /** @throws {QueueTimeoutError} when it was not its turn in time; what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.most) this.running++;
    else await this.turn();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // A place goes straight to the one that waits longest.
      if (next === undefined) this.running--;
      else next();
    }
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = new LoopTimer(this.queueTimeoutMs, () => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(new QueueTimeoutError('Too many requests wait for their turn at the database.'));
      });
      const begin = (): void => {
        timer.cancel();
        resolve();
      };
      this.waiting.push(begin);
    });
  }
}
