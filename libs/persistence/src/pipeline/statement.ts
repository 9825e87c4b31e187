/** A statement that every connection of a pipeline prepares before its first use. */
export interface Statement {
  readonly name: string;
  /** SQL with `$1`, `$2`, ... for its values. */
  readonly text: string;
}
