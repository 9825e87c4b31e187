import { Plan, type PlanLimits, type PlanName } from '@petstore/rate-limit';
import { KeyRuleError } from './key.errors.js';

/** The plan of a key with the limits that it means for this key (specification, section 8). */
export interface KeyPlan {
  readonly name: PlanName;
  readonly limits: PlanLimits;
}

export const KeyPlan = {
  /**
   * @param limits the two numbers of an enterprise key; left out for every other plan
   * @throws KeyRuleError when the numbers are missing, out of range, or given for a plan that has its own
   */
  of(name: PlanName, limits: Partial<PlanLimits> = {}): KeyPlan {
    const { perMinute, perDay } = limits;
    if (Plan.isFixed(name)) {
      if (perMinute !== undefined || perDay !== undefined) {
        const { perMinute: minute, perDay: day } = Plan.limitsOf(name);
        throw new KeyRuleError(
          `Only an enterprise key has its own limits; ${name} means ${minute} a minute and ${day} a day.`,
        );
      }
      return { name, limits: Plan.limitsOf(name) };
    }
    if (perMinute === undefined || perDay === undefined) {
      throw new KeyRuleError('An enterprise key needs its own limits, per minute and per day.');
    }
    if (!Plan.isLimit(perMinute) || !Plan.isLimit(perDay)) {
      throw new KeyRuleError(`A limit is a whole number from 1 to ${Plan.MAX_LIMIT}.`);
    }
    return { name, limits: { perMinute, perDay } };
  },
  /** The plan that is kept as these columns, or `undefined` when there is no plan of this name. */
  parse(name: string, perMinute: number | undefined, perDay: number | undefined): KeyPlan | undefined {
    const plan = Plan.parse(name);
    return plan && KeyPlan.of(plan, { ...(perMinute && { perMinute }), ...(perDay && { perDay }) });
  },
} as const;
