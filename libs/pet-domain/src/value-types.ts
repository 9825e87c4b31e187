declare const brand: unique symbol;

/** Values of `Base` that have been checked to be of one kind. */
export type Branded<Base, Kind extends string> = Base & { readonly [brand]: Readonly<Record<Kind, true>> };

/** A few words of which a value is one. */
export interface Words<Word extends string> {
  /** Every word, in its order. */
  readonly ALL: readonly Word[];
  /** What is allowed, as a refusal says it: "status must be ...". */
  readonly EXPECTED: string;
  /** The word that `text` is, letter for letter, or `undefined`. */
  parse(text: string): Word | undefined;
}

export function words<Word extends string>(...all: readonly Word[]): Words<Word> {
  const known: ReadonlySet<string> = new Set(all);
  return {
    ALL: all,
    EXPECTED: `one of ${all.join(', ')}`,
    parse: (text) => (known.has(text) ? (text as Word) : undefined),
  };
}
