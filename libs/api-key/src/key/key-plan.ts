import { Plan, type PlanLimits, type PlanName } from '@petstore/rate-limit';
import { KeyRuleError } from './key.errors.js';

/** The plan of a key with the limits that it means for this key (specification, section 8). */
export class KeyPlan {
  private constructor(
    readonly name: PlanName,
    /** Only of an enterprise key, as `perDay`: other plans have fixed limits. */
    readonly perMinute?: number,
    readonly perDay?: number,
  ) {}

  /**
   * @param limits the two numbers of an enterprise key; left out for every other plan
   * @throws KeyRuleError when the numbers are missing, out of range, or given for a plan that has its own
   */
  static of(name: PlanName, limits: Partial<PlanLimits> = {}): KeyPlan {
    const { perMinute, perDay } = limits;
    if (Plan.isFixed(name)) {
      if (perMinute !== undefined || perDay !== undefined) {
        const { perMinute: minute, perDay: day } = Plan.limitsOf(name);
        throw new KeyRuleError(
          `Only an enterprise key has its own limits; ${name} means ${minute} a minute and ${day} a day.`,
        );
      }
      return new KeyPlan(name);
    }
    if (perMinute === undefined || perDay === undefined) {
      throw new KeyRuleError('An enterprise key needs its own limits, per minute and per day.');
    }
    if (!Plan.isLimit(perMinute) || !Plan.isLimit(perDay)) {
      throw new KeyRuleError(`A limit is a whole number from 1 to ${Plan.MAX_LIMIT}.`);
    }
    return new KeyPlan(name, perMinute, perDay);
  }

  /** The plan that is kept as these values, or `undefined` when there is no plan of this name. */
  static parse(name: string, perMinute: number | null, perDay: number | null): KeyPlan | undefined {
    const plan = Plan.parse(name);
    return plan && KeyPlan.of(plan, { ...(perMinute && { perMinute }), ...(perDay && { perDay }) });
  }

  get limits(): PlanLimits {
    const { name, perMinute = 0, perDay = 0 } = this;
    return Plan.isFixed(name) ? Plan.limitsOf(name) : { perMinute, perDay };
  }
}
