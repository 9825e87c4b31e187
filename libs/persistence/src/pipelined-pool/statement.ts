/** A statement that each connection of the pipelined pool prepares when it first runs it. */
export interface Statement {
  /** Unique in the service; PostgreSQL and the log name the statement by it. */
  readonly name: string;
  readonly text: string;
}

/** The columns of a row in PostgreSQL's own text: a bigint as its digits, a boolean as `t` or `f`. */
export type TextRow = readonly (string | null)[];

/** Whether a column of PostgreSQL's text format holds the boolean true. */
export function isTrue(column: string | null | undefined): boolean {
  return column === 't';
}
