import { beforeEach } from '@jest/globals';
import { Plan, type PlanLimits, type RateLimitResult, type RateLimitSubject } from '../src/index.js';
import type { RateLimitStore } from '../src/decision/rate-limit-store.js';
import type { StoreUnderTest } from './traffic.js';

/** Lengths of the windows, in milliseconds. */
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const free = Plan.limitsOf('free');
export const business = Plan.limitsOf('business');
const START = 1_700_000_000_000;

let subjects = 0;
/** A key that no test has used. */
export const newKey = (limits: PlanLimits = free): RateLimitSubject => ({
  id: `key:case-${++subjects}`,
  limits,
  bannable: true,
});

/** The store of each test, on a clock that the test moves. */
export class StoreOnClock {
  now = START;

  constructor(private readonly underTest: () => StoreUnderTest) {
    beforeEach(() => {
      this.now = START;
      this.pass(0);
    });
  }

  get store(): RateLimitStore {
    return this.underTest().store;
  }

  readonly pass = (milliseconds: number): void => {
    this.now += milliseconds;
    this.underTest().setClock(this.now);
  };

  readonly chargeAll = (subject: RateLimitSubject, requests: number): Promise<RateLimitResult[]> =>
    Promise.all(Array.from({ length: requests }, () => this.store.charge(subject)));

  readonly admittedOf = async (subject: RateLimitSubject, requests: number): Promise<number> =>
    (await this.chargeAll(subject, requests)).filter(({ admitted }) => admitted).length;
}
