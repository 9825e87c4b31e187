import type { RawRow, RowReader } from './raw-rows.js';
import type { Statement } from './statement.js';

/** One execution of a prepared statement whose rows are taken as they come. */
export class RowQuery<T> {
  readonly answer: Promise<T>;
  /** When it was asked, on the clock of `performance.now()`. */
  readonly since = performance.now();
  private resolve!: (value: T) => void;
  private reject!: (error: Error) => void;
  private left = false;

  constructor(
    readonly statement: Statement,
    readonly values: readonly string[],
    private readonly reader: RowReader<T>,
    private readonly failure: (error: Error) => Error,
    /** Told when the query leaves for the server, or turns out not to. */
    private readonly leaving: () => void,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** A query that the server passed over leaves once more, which is nobody's business. */
  leave(): void {
    if (this.left) return;
    this.left = true;
    this.leaving();
  }

  take(row: RawRow): void {
    this.reader.take(row);
  }

  succeed(): void {
    try {
      this.resolve(this.reader.answer());
    } catch (error) {
      this.reject(error as Error);
    }
  }

  /** @param error as pg says it */
  fail(error: Error): void {
    this.leave();
    this.reject(this.failure(error));
  }
}
