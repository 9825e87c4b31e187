import { Scope } from './scope.js';

/** What operators read about a scope, and whether they get it without asking. */
export interface ScopeDefinition {
  /** What a key with this scope does, for people: `lists and fetches`. */
  readonly grants: string;
  /** Whether a key that is created without scopes has this one. Not unless said. */
  readonly byDefault?: boolean;
}

/** The scopes of one feature, by their names. */
export type ScopeDefinitions = Readonly<Record<string, ScopeDefinition>>;

/** The scopes of a service. Never changes. */
export class ScopeRegistry {
  private readonly definitions: ReadonlyMap<Scope, ScopeDefinition>;

  /** @param definitions in the order in which people read them; use {@link defineScopes} */
  constructor(definitions: ReadonlyMap<Scope, ScopeDefinition>) {
    this.definitions = new Map(definitions);
  }

  /** Every scope, in the order of the definitions. */
  get all(): readonly Scope[] {
    return [...this.definitions.keys()];
  }

  /** What a key has that is created without scopes. */
  get defaults(): readonly Scope[] {
    return this.all.filter((scope) => this.definitions.get(scope)?.byDefault === true);
  }

  /** The scope that `text` names, letter for letter; `undefined` when no feature defines it. */
  find(text: string): Scope | undefined {
    const scope = Scope.parse(text);
    return scope !== undefined && this.definitions.has(scope) ? scope : undefined;
  }

  /**
   * A scope that a program names.
   *
   * @throws Error when no feature defines it: a mistake in the program
   */
  get(name: string): Scope {
    const scope = this.find(name);
    if (scope === undefined) throw new Error(`No feature defines the scope ${name}.`);
    return scope;
  }

  /** What a scope allows, for people; `undefined` for a scope that no feature defines. */
  grantsOf(scope: Scope): string | undefined {
    return this.definitions.get(scope)?.grants;
  }
}

/**
 * Puts the scopes of all features together.
 *
 * @throws Error when a name has not the form of a scope, or two features define the same one: a mistake in the
 *   program, for its start
 */
export function defineScopes(...features: readonly ScopeDefinitions[]): ScopeRegistry {
  const definitions = new Map<Scope, ScopeDefinition>();
  for (const feature of features) {
    for (const [name, definition] of Object.entries(feature)) {
      const scope = Scope.parse(name);
      if (scope === undefined) {
        throw new Error(
          `"${name}" is no name of a scope: lower-case letters and digits, with : . _ - between them, at most ` +
            `${Scope.MAX_LENGTH} characters.`,
        );
      }
      if (definitions.has(scope)) throw new Error(`The scope ${scope} is defined twice.`);
      definitions.set(scope, definition);
    }
  }
  return new ScopeRegistry(definitions);
}
