/** A statement that every connection of a pipeline prepares before its first use. */
export interface Statement {
  readonly name: string;
  /** SQL with `$1`, `$2`, ... for its values. */
  readonly text: string;
}

/** One row as the server sends it: the text of each column. Only for columns that are never null. */
export type Row = readonly string[];
