/** Every scope, in the order in which they are shown. */
const ALL = ['pets:read', 'pets:write'] as const;

/** Something a key may do. */
export type Scope = (typeof ALL)[number];

const known: ReadonlySet<string> = new Set(ALL);

export const Scope = {
  ALL,
  /** The scope that `text` names, letter for letter, or `undefined`. */
  parse(text: string): Scope | undefined {
    return known.has(text) ? (text as Scope) : undefined;
  },
} as const;
