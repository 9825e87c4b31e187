import { type Connection, Query } from 'pg';
import type { Row, Statement } from './statement.js';

/**
 * One execution of a prepared statement whose rows are taken as they come. pg's own query asks for a
 * description of the columns each time and makes an object of each row with a parser for each column, which
 * costs 38 µs for a list of 20 where this costs 27, and 15 µs for one row where this costs 13.
 */
export class RowQuery<T> extends Query {
  readonly answer: Promise<T>;
  /** When it was asked, on the clock of `performance.now()`. */
  readonly since = performance.now();
  /** Told when it is no longer to be answered, with the error if there is one. */
  settled: (error?: Error) => void = ignore;
  private readonly taken: Row[] = [];
  private resolve!: (value: T) => void;
  private reject!: (error: Error) => void;

  constructor(
    private readonly statement: Statement,
    private readonly parameters: readonly string[],
    private readonly decode: (rows: readonly Row[]) => T,
    private readonly failure: (error: Error) => Error,
    /** Told when the query leaves for the server, or turns out not to. */
    readonly leaving: () => void,
  ) {
    // The name alone makes pg call `prepare`.
    super({ name: statement.name, text: '' });
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Called by pg when it is this query's turn to be written. */
  prepare(connection: Wire): void {
    connection.bind({ statement: this.statement.name, values: this.parameters, valueMapper: same });
    connection.execute(WHOLE);
    connection.sync();
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.taken.push(fields);
  }

  /** pg would take the command's name apart, which nobody asks for. */
  handleCommandComplete(): void {
    // Nothing to take from it.
  }

  handleReadyForQuery(): void {
    this.settled();
    try {
      this.resolve(this.decode(this.taken));
    } catch (error) {
      this.reject(error as Error);
    }
  }

  /** Called by pg, and by a pipeline that gives up before the query has left. */
  handleError(error: Error): void {
    this.settled(error);
    this.reject(this.failure(error));
  }
}

/** What pg's connection really takes. */
interface Wire extends Omit<Connection, 'bind' | 'execute'> {
  bind(config: {
    readonly statement: string;
    readonly values: readonly string[];
    readonly valueMapper: (value: string) => string;
  }): void;
  execute(config: object): void;
}

const WHOLE = {};
const same = (value: string): string => value;
const ignore = (): void => undefined;
