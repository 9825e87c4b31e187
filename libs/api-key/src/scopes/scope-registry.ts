declare const brand: unique symbol;

/**
 * Something a key may do, such as `pets:read`. The list is open: an application defines its own with `defineScopes`, and
 * a scope that this process does not know gives a key nothing.
 */
export type Scope = string & { readonly [brand]: 'Scope' };

/** Longest scope, in characters. */
const MAX_LENGTH = 64;

/** Within the scope-token of RFC 6749, section 3.3, without what needs quoting anywhere. */
const FORM = /^[a-z0-9]+(?:[:._-][a-z0-9]+)*$/;

export const Scope = {
  MAX_LENGTH,
  /** A regular expression that scopes match. */
  PATTERN: FORM.source,
  /** The scope that `text` spells, whether anything defines it or not; `undefined` when it has another form. */
  parse(text: string): Scope | undefined {
    return text.length <= MAX_LENGTH && FORM.test(text) ? (text as Scope) : undefined;
  },
} as const;

/** What operators read about a scope, and whether they get it without asking. */
export interface ScopeDefinition {
  /** What a key with this scope does, for people: `lists and fetches`. */
  readonly grants: string;
  /** Whether a key that is created without scopes has this one; false unless given. */
  readonly byDefault?: boolean;
  /** Whether publishable keys, which anybody can copy, have this one; false unless given. They have no other. */
  readonly isPublishable?: boolean;
}

/** The scopes of a service. Never changes. */
export class ScopeRegistry {
  /** Every scope, in the order of the definitions. */
  readonly all: readonly Scope[];
  /** What a key has that is created without scopes. */
  readonly defaults: readonly Scope[];
  /** What a publishable key has. */
  readonly publishable: readonly Scope[];

  /** @param definitions in the order in which people read them; use {@link defineScopes} */
  constructor(private readonly definitions: ReadonlyMap<string, ScopeDefinition>) {
    this.all = [...definitions.keys()] as Scope[];
    this.defaults = this.all.filter((scope) => definitions.get(scope)?.byDefault === true);
    this.publishable = this.all.filter((scope) => definitions.get(scope)?.isPublishable === true);
  }

  /** The scope that `text` names, letter for letter; `undefined` when nothing defines it. */
  find(text: string): Scope | undefined {
    return this.definitions.has(text) ? (text as Scope) : undefined;
  }

  /**
   * A scope that a program names.
   *
   * @throws Error when nothing defines it: a mistake in the program
   */
  get(name: string): Scope {
    const scope = this.find(name);
    if (scope === undefined) throw new Error(`Nothing defines the scope ${name}.`);
    return scope;
  }

  /** What a scope allows, for people; `undefined` for a scope that nothing defines. */
  grantsOf(scope: Scope): string | undefined {
    return this.definitions.get(scope)?.grants;
  }
}

/**
 * The scopes of a service, by their names, in the order in which people read them.
 *
 * @throws Error when a name has not the form of a scope: a mistake in the program, for its start
 */
export function defineScopes(definitions: Readonly<Record<string, ScopeDefinition>>): ScopeRegistry {
  const entries = Object.entries(definitions);
  for (const [name] of entries) {
    if (Scope.parse(name) === undefined)
      throw new Error(
        `"${name}" is no name of a scope: lower-case letters and digits, with : . _ - between them, at most ` +
          `${MAX_LENGTH} characters.`,
      );
  }
  return new ScopeRegistry(new Map(entries));
}
