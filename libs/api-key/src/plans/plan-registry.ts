import { checkLimits, isLimit, MAX_LIMIT, type RateLimits } from '@petstore/rate-limit';
import { KeyPlan } from '../key/key-plan.js';
import { KeyRuleError } from '../key/key.errors.js';

/** The limits that all keys on a plan have; `own` where each key brings its own two numbers. */
export type PlanDefinition = RateLimits | 'own';

const FORM = /^[a-z]{1,64}$/;

/** The plans of a service. */
export class PlanRegistry {
  /** Their names, in the order of the definitions. */
  readonly all: readonly string[];

  /** @param definitions use {@link definePlans} */
  constructor(private readonly definitions: ReadonlyMap<string, PlanDefinition>) {
    this.all = [...definitions.keys()];
  }

  /** What a plan means; `undefined` for one that is not defined. */
  find(name: string): PlanDefinition | undefined {
    return this.definitions.get(name);
  }

  /**
   * The plan of a key.
   *
   * @param limits the two numbers of a key that brings its own; left out for every other plan
   * @throws KeyRuleError when the plan is not defined, or the numbers are missing, out of range, or given for a plan that
   *   has its own
   */
  of(name: string, { perMinute, perDay }: Partial<RateLimits> = {}): KeyPlan {
    const definition = this.find(name);
    if (definition === undefined) throw new KeyRuleError(`"${name}" is no plan: ${this.all.join(', ')}.`);
    if (definition !== 'own') {
      if (perMinute === undefined && perDay === undefined) return new KeyPlan(name);
      const own = this.all.filter((each) => this.find(each) === 'own').join(' or ') || 'no';
      throw new KeyRuleError(
        `Only an ${own} key has its own limits; ${name} means ${definition.perMinute} a minute and ` +
          `${definition.perDay} a day.`,
      );
    }
    if (perMinute === undefined || perDay === undefined)
      throw new KeyRuleError(`A key on the plan ${name} needs its own limits, per minute and per day.`);
    if (!isLimit(perMinute) || !isLimit(perDay))
      throw new KeyRuleError(`A limit is a whole number from 1 to ${MAX_LIMIT}.`);
    return new KeyPlan(name, perMinute, perDay);
  }

  /** What a key may do; `undefined` on a plan that is not defined here: another version of the service may know it. */
  limitsOf({ name, perMinute, perDay }: KeyPlan): RateLimits | undefined {
    const definition = this.find(name);
    if (definition !== 'own') return definition;
    return perMinute === undefined || perDay === undefined ? undefined : { perMinute, perDay };
  }
}

/**
 * The plans of a service, in the order in which people read them.
 *
 * @throws Error when a name is not lower-case letters, or a limit is no whole number: a mistake in the
 *   program, for its start
 */
export function definePlans(definitions: Readonly<Record<string, PlanDefinition>>): PlanRegistry {
  const entries = Object.entries(definitions);
  for (const [name, definition] of entries) {
    if (!FORM.test(name)) throw new Error(`"${name}" is no name of a plan: lower-case letters.`);
    if (definition !== 'own') checkLimits(definition);
  }
  return new PlanRegistry(new Map(entries));
}
