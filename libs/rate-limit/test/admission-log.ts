import { DAY, MINUTE, type RateLimits, type RateLimitResult } from '../src/index.js';

const MINUTE_AND_STEP = MINUTE.lengthMs * 1.005;
const DAY_AND_STEP = DAY.lengthMs * 1.005;

/**
 * The judge: it remembers every single admission with its true time, and compares each result with what
 * the plan says about them. True time, in milliseconds, never jumps.
 */
export class AdmissionLog {
  private readonly admissions: number[] = [];

  /** Admissions in the `length` milliseconds that end with `time`. */
  within(length: number, time: number): number {
    let count = 0;
    for (let i = this.admissions.length - 1; i >= 0 && (this.admissions[i] ?? 0) > time - length; i--) {
      count++;
    }
    return count;
  }

  /** Takes down an admission; what is wrong with it, or `undefined`. */
  admit(time: number, { perMinute, perDay }: RateLimits): string | undefined {
    this.admissions.push(time);
    const minute = this.within(MINUTE.lengthMs, time);
    if (minute > perMinute) return `${minute} admitted within a minute of ${perMinute}`;
    const day = this.within(DAY.lengthMs, time);
    return day > perDay ? `${day} admitted within a day of ${perDay}` : undefined;
  }

  /** What is wrong with a refusal that is no ban, or `undefined`. */
  refuse(time: number, { perMinute, perDay }: RateLimits): string | undefined {
    const minute = this.within(MINUTE_AND_STEP, time);
    const day = this.within(DAY_AND_STEP, time);
    return minute < perMinute && day < perDay
      ? `refused after ${minute} of ${perMinute} in a minute and ${day} of ${perDay} in a day`
      : undefined;
  }

  /** What is wrong with the numbers of the latest result, or `undefined`. */
  check(time: number, { minute, day, subject: { limits } }: RateLimitResult): string | undefined {
    for (const [name, { remaining }, limit, length, lengthAndStep] of [
      ['minute', minute, limits.perMinute, MINUTE.lengthMs, MINUTE_AND_STEP],
      ['day', day, limits.perDay, DAY.lengthMs, DAY_AND_STEP],
    ] as const) {
      const least = Math.max(0, limit - this.within(lengthAndStep, time));
      const most = Math.max(0, limit - this.within(length, time));
      if (remaining < least || remaining > most)
        return `${remaining} remaining in the ${name}, not ${least} to ${most}`;
    }
    return undefined;
  }
}
