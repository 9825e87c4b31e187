import { StoreUnavailableError } from '@petstore/pet-domain';
import type { Pipeline } from './pipeline.js';
import type { RowReader } from './raw-rows.js';
import type { Statement } from './statement.js';

/** Most items of one execution: about 100 KiB of the longest names. */
const MOST_TOGETHER = 100;

/** What is done to many items at once. */
export interface Sharing<Item, Rows, Result> {
  /** Its rows tell what has become of each item. */
  readonly statement: Statement;
  /** One array literal for each of its parameters. */
  readonly valuesOf: (items: readonly Item[]) => readonly string[];
  readonly reader: () => RowReader<Rows>;
  /** @param place of the item among those of one execution, from 0 */
  readonly resultOf: (rows: Rows, item: Item, place: number) => Result;
  /** Items of which this is the same are not executed together. */
  readonly keyOf?: (item: Item) => string;
  /** Called after each commit. */
  readonly committed: () => void;
}

/**
 * A statement that takes many items at once. Those that wait at the same time are one execution and one commit, which
 * saves the server of the database most of its work and its disk most of its waiting. Each is acknowledged after that
 * commit.
 */
export class SharedStatement<Item, Rows, Result> {
  private waiting: Execution<Item, Rows, Result> | undefined;

  constructor(
    private readonly writes: Pipeline,
    private readonly sharing: Sharing<Item, Rows, Result>,
  ) {}

  execute(item: Item): Promise<Result> {
    if (this.waiting?.takes(item) !== true) this.waiting = new Execution(this.writes, this.sharing);
    return this.waiting.join(item);
  }
}

/** Some items for which the statement is executed together, or not at all. */
class Execution<Item, Rows, Result> {
  private readonly items: Item[] = [];
  private readonly keys = new Set<string>();
  /** Written when the statement leaves; until then items may join. */
  private readonly values: string[] = [];
  private readonly rows: Promise<Rows>;
  private left = false;

  constructor(
    private readonly writes: Pipeline,
    private readonly sharing: Sharing<Item, Rows, Result>,
  ) {
    const { statement, valuesOf, reader, committed } = sharing;
    const executed = writes.ask(statement, this.values, reader(), () => {
      this.left = true;
      this.values.splice(0, this.values.length, ...valuesOf(this.items));
    });
    this.rows = executed.then((rows) => {
      committed();
      return rows;
    });
  }

  takes(item: Item): boolean {
    const { keyOf } = this.sharing;
    return (
      !this.left && this.items.length < MOST_TOGETHER && (keyOf === undefined || !this.keys.has(keyOf(item)))
    );
  }

  join(item: Item): Promise<Result> {
    const { keyOf, resultOf } = this.sharing;
    const place = this.items.push(item) - 1;
    if (keyOf !== undefined) this.keys.add(keyOf(item));
    return this.rows.then(
      (rows) => resultOf(rows, item, place),
      (error: unknown) => this.alone(item, error),
    );
  }

  /** An item that the database itself refuses must not keep others from what is to be done: nothing was, so far. */
  private alone(item: Item, error: unknown): Promise<Result> {
    if (error instanceof StoreUnavailableError || this.items.length === 1) throw error;
    return new Execution(this.writes, this.sharing).join(item);
  }
}
