/** A statement that every connection of a pipeline prepares before its first use. */
export interface Statement {
  readonly name: string;
  /** SQL with `$1`, `$2`, ... for its values. */
  readonly text: string;
}

/** A statement of a pipeline with the text of each of its values. */
export interface Question {
  readonly statement: Statement;
  readonly values: readonly string[];
}
