import { Bulkhead } from './bulkhead.js';
import { orUnavailable } from './store-unavailable.js';

/** The tasks of one name. */
interface Line {
  readonly bulkhead: Bulkhead;
  /** Those that wait and the one that runs. */
  length: number;
}

/**
 * Runs tasks of the same name one after the other in this process, and those of different names at the same time. A task that
 * waits holds no connection, and no place among those that wait for one.
 */
export class Turns {
  private readonly lines = new Map<string, Line>();

  /** @param turnMs how long a task waits for those before it, in milliseconds */
  constructor(private readonly turnMs: number) {}

  /** @throws {StoreUnavailableError} when it was not its turn in time; what `work` throws */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(name) ?? { bulkhead: new Bulkhead(1, this.turnMs), length: 0 };
    line.length++;
    this.lines.set(name, line);
    try {
      return await orUnavailable(line.bulkhead.run(work));
    } finally {
      line.length--;
      if (line.length === 0) this.lines.delete(name);
    }
  }
}
