import { Bulkhead } from './bulkhead.js';
import { orUnavailable } from './store-unavailable.js';

/** How long somebody waits for those before, in milliseconds: some hundred of them. */
const PATIENCE_MS = 500;

/** Those who do something with one thing. */
interface Line {
  readonly bulkhead: Bulkhead;
  /** Those in it and the one whose turn it is. */
  length: number;
}

/**
 * One after the other what is done with one thing, in this process; with different things at the same time. Who waits for a
 * turn holds no connection, and no place in the line of those who need one.
 */
export class Turns {
  private readonly lines = new Map<string, Line>();

  /** @throws {StoreUnavailableError} when it was not its turn in time; what `work` throws */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(name) ?? { bulkhead: new Bulkhead(1, PATIENCE_MS), length: 0 };
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
