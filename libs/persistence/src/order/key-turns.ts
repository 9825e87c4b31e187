import { Bulkhead } from '../connection/bulkhead.js';
import { orUnavailable } from '../connection/store-unavailable.js';

/** How long somebody waits for the others of the key, in milliseconds: some hundred of them. */
const PATIENCE_MS = 500;

/** A line of those who do something with one key. */
interface Line {
  readonly bulkhead: Bulkhead;
  /** Those in it and the one whose turn it is. */
  length: number;
}

/** One after the other what is done with one key, in this process; with different keys at the same time. */
export class KeyTurns {
  private readonly lines = new Map<string, Line>();

  /** @throws {StoreUnavailableError} when it was not its turn in time; what `work` throws */
  async run<T>(keyId: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(keyId) ?? { bulkhead: new Bulkhead(1, PATIENCE_MS), length: 0 };
    line.length++;
    this.lines.set(keyId, line);
    try {
      return await orUnavailable(line.bulkhead.run(work));
    } finally {
      line.length--;
      if (line.length === 0) this.lines.delete(keyId);
    }
  }
}
