declare const brand: unique symbol;

/** Values of `Base` that have been checked to be of one kind. */
export type Branded<Base, Kind extends string> = Base & { readonly [brand]: Readonly<Record<Kind, true>> };

/** A closed set of strings, and what reads one. */
export interface StringEnum<Value extends string> {
  /** Its values, in their order. */
  readonly ALL: readonly Value[];
  /** What is allowed, as a refusal says it: "status must be ...". */
  readonly description: string;
  /** The value that `text` is, letter for letter, or `undefined`. */
  parse(text: string): Value | undefined;
}

export function stringEnum<Value extends string>(...all: readonly Value[]): StringEnum<Value> {
  const known: ReadonlySet<string> = new Set(all);
  return {
    ALL: all,
    description: `one of ${all.join(', ')}`,
    parse: (text) => (known.has(text) ? (text as Value) : undefined),
  };
}
