declare const brand: unique symbol;

/** Values of `Base` that have been checked to be of one kind. */
export type Branded<Base, Kind extends string> = Base & { readonly [brand]: Readonly<Record<Kind, true>> };
