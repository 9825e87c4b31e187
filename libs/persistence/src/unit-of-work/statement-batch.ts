import { noteStatement } from '../pipeline/note-statement.js';
import type { Statement } from '../pipeline/statement.js';

/** A statement with its values: text, bytes for a bytea, or null. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly (string | Buffer | null)[];
}

/** The columns of a row in PostgreSQL's text format: a bigint as digits, a boolean as `t` or `f`. */
export type TextRow = readonly (string | null)[];

/** Whether a column of text format holds the boolean true. */
export function isTrue(column: string | null | undefined): boolean {
  return column === 't';
}

/**
 * Statements that are sent with one write and answered with one read, executed one after the other. Each sees what
 * others have committed before it begins. When one fails, those behind it are not executed.
 *
 * pg's own query is one statement, asks for a description of the columns each time and makes an object of each row.
 * Rows come as text here, statements are prepared when a connection first executes them.
 */
export class StatementBatch {
  /** The rows of each statement. */
  readonly answer: Promise<readonly (readonly TextRow[])[]>;
  private readonly rows: TextRow[][];
  private readonly unprepared: { readonly name: string; readonly at: number }[] = [];
  private prepared: Set<string> | undefined;
  private executed = 0;
  private lastTag = '';
  private resolve!: (rows: TextRow[][]) => void;
  private reject!: (error: Error) => void;

  /** @param statements at least one */
  constructor(private readonly statements: readonly BoundStatement[]) {
    this.rows = statements.map(() => []);
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** What the server says that the last statement has done; the tag of a commit that failed is `ROLLBACK`. */
  get tag(): string {
    return this.lastTag;
  }

  /** Called by pg when it is this batch's turn to be written. */
  submit(connection: object): void {
    const wire = connection as Wire;
    const prepared = (this.prepared = preparedOn(connection));
    wire.stream.cork();
    for (const [at, { statement, values }] of this.statements.entries()) {
      const { name, text } = statement;
      if (!prepared.has(name)) {
        // One that failed may have been prepared or not. To close what is not there is no error.
        wire.close({ type: 'S', name });
        wire.parse({ name, text });
        this.unprepared.push({ name, at });
      }
      wire.bind({ statement: name, values });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.rows[this.executed]?.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.executed++;
    this.lastTag = text;
  }

  handleReadyForQuery(): void {
    this.notePrepared();
    this.resolve(this.rows);
  }

  /** Called by pg when the server says so, or when the connection is lost. */
  handleError(error: Error): void {
    this.notePrepared();
    const failed = this.statements[Math.min(this.executed, this.statements.length - 1)];
    this.reject(noteStatement(error, failed?.statement.name));
  }

  /** What has been executed is prepared; prepared statements outlive a rollback. */
  private notePrepared(): void {
    for (const { name, at } of this.unprepared) if (at < this.executed) this.prepared?.add(name);
  }
}

const PREPARED = new WeakMap<object, Set<string>>();

/** Names of the statements that a connection has prepared. */
function preparedOn(connection: object): Set<string> {
  let names = PREPARED.get(connection);
  if (names === undefined) PREPARED.set(connection, (names = new Set()));
  return names;
}

/** What pg's connection really takes. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  close(statement: { readonly type: 'S'; readonly name: string }): void;
  parse(statement: Statement): void;
  bind(config: { readonly statement: string; readonly values: BoundStatement['values'] }): void;
  execute(): void;
  sync(): void;
}
