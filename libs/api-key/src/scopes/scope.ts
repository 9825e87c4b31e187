declare const brand: unique symbol;

/**
 * Something a key may do, such as `pets:read`. The list is open: features define theirs with `defineScopes`, and a
 * scope that this process does not know gives a key nothing.
 */
export type Scope = string & { readonly [brand]: 'Scope' };

/** Longest scope, in characters. */
const MAX_LENGTH = 64;

/** Within the scope-token of RFC 6749, section 3.3, without what needs quoting anywhere. */
const FORM = /^[a-z0-9]+(?:[:._-][a-z0-9]+)*$/;

export const Scope = {
  MAX_LENGTH,
  /** The scope that `text` spells, whether anything defines it or not; `undefined` when it has another form. */
  parse(text: string): Scope | undefined {
    return text.length <= MAX_LENGTH && FORM.test(text) ? (text as Scope) : undefined;
  },
} as const;
