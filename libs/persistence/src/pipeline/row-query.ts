import { noteStatement } from './note-statement.js';
import type { RawRow, RowReader } from './raw-rows.js';
import type { Question, Statement } from './statement.js';

/** One execution of a prepared statement whose rows are taken as they come. */
export class RowQuery<T> {
  readonly answer: Promise<T>;
  private resolve!: (value: T) => void;
  private reject!: (error: Error) => void;
  private left = false;
  private failed = false;

  constructor(
    readonly statement: Statement,
    readonly values: readonly string[],
    private readonly reader: RowReader<T>,
    private readonly failure: (error: Error) => Error,
    /** Called when the query leaves for the server, or turns out not to. */
    private readonly leaving: () => void,
    /** When it was asked, on the clock of its pipeline. */
    readonly since: number,
    /** What is executed before it in the same transaction; its rows are left out. */
    readonly before?: Question,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Whether its result, should one come, is of no more use. */
  get isOver(): boolean {
    return this.failed;
  }

  /** A query that the server passed over leaves once more, without a further call of `leaving`. */
  leave(): void {
    if (this.left) return;
    this.left = true;
    this.leaving();
  }

  take(row: RawRow): void {
    this.reader.take(row);
  }

  succeed(): void {
    if (this.failed) return;
    try {
      this.resolve(this.reader.answer());
    } catch (error) {
      this.reject(error as Error);
    }
  }

  /** @param error as pg says it */
  fail(error: Error): void {
    if (this.failed) return;
    this.failed = true;
    this.leave();
    this.reject(this.failure(noteStatement(error, this.statement.name)));
  }
}
