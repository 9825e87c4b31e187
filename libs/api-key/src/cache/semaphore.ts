/** Lets a bounded number of tasks run at a time; the others wait in the order of their arrival. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(count: number) {
    this.free = count;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resume) => this.waiting.push(resume));
    try {
      return await task();
    } finally {
      // A slot goes straight to the one that waits longest.
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }
}
