import { NoAnswer } from './connection-failure.js';
import { LoopTimer } from './loop-timer.js';

/**
 * Lets only so many pieces of work of one kind hold connections of the shared pool, so that those which wait for a
 * lock leave the rest of the pool to everybody else. The others wait in line, and not for longer than a limit.
 */
export class Bulkhead {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param most at a time
   * @param within milliseconds that one may wait for its turn
   */
  constructor(
    private readonly most: number,
    private readonly within: number,
  ) {}

  /** @throws {NoAnswer} when it was not its turn in time; what `work` throws */
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
      const timer = new LoopTimer(this.within, () => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(new NoAnswer('Too many wait for the same tables.'));
      });
      const begin = (): void => {
        timer.cancel();
        resolve();
      };
      this.waiting.push(begin);
    });
  }
}
