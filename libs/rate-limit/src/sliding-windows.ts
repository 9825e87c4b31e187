import type { SubjectState } from './rate-limit-result.js';
import {
  type BanPolicy,
  DAY,
  MINUTE,
  type RateLimits,
  type RateLimitWindow,
  WINDOW_STEPS,
} from './subject.js';

/** One window of one subject: batches of requests, each with the moment of its last request; all times in ms. */
class SlidingWindow {
  private sum = 0;
  /** Of the batches, oldest first: moments and numbers of requests. */
  private readonly moments: number[] = [];
  private readonly units: number[] = [];
  private readonly stepMs: number;

  constructor(private readonly window: RateLimitWindow) {
    this.stepMs = window.lengthMs / WINDOW_STEPS;
  }

  get used(): number {
    return this.sum;
  }

  /** Removes the batches whose last request is as old as the window is long. */
  expire(now: number): void {
    const horizon = now - this.window.lengthMs;
    for (let oldest = this.moments[0]; oldest !== undefined && oldest <= horizon; oldest = this.moments[0]) {
      this.moments.shift();
      this.sum -= this.units.shift() ?? 0;
    }
  }

  add(now: number): void {
    const { moments, units } = this;
    const last = moments.length - 1;
    const newest = moments[last];
    this.sum++;
    if (newest !== undefined && Math.floor(newest / this.stepMs) === Math.floor(now / this.stepMs)) {
      moments[last] = now;
      units[last] = (units[last] ?? 0) + 1;
    } else {
      moments.push(now);
      units.push(1);
    }
  }

  /** Milliseconds until it has room for one more; when it holds more than the limit, for a first one. */
  resetMs(now: number, limit: number): number {
    if (this.sum === 0) return 0;
    let [at, excess] = [0, this.sum - limit];
    while (excess >= 0 && at < this.moments.length - 1) {
      excess -= this.units[at] ?? 0;
      if (excess >= 0) at++;
    }
    return Math.ceil((this.moments[at] ?? now) + this.window.lengthMs - now);
  }
}

/** Both windows of a subject and its ban, counted in the process by the same rules as in consume.lua.ts. */
export class SlidingWindows {
  private readonly minute = new SlidingWindow(MINUTE);
  private readonly day = new SlidingWindow(DAY);
  private bannedUntil = 0;
  private bans = 0;
  private refusals = 0;
  private refusingSince = 0;

  /** How many more requests are admitted now. */
  room(now: number, { perMinute, perDay }: RateLimits): number {
    this.minute.expire(now);
    this.day.expire(now);
    if (this.bannedUntil > now) return 0;
    return Math.max(0, Math.min(perMinute - this.minute.used, perDay - this.day.used));
  }

  /** Counts an admitted request. */
  add(now: number): void {
    this.minute.add(now);
    this.day.add(now);
  }

  /** Counts a refusal, in a period that begins with the first, towards a ban. Whether a ban begins with it. */
  refuse(now: number, { perMinute }: RateLimits, policy: BanPolicy | undefined): boolean {
    if (policy === undefined || this.bannedUntil > now) return false;
    if (now - this.refusingSince >= policy.withinMs) [this.refusals, this.refusingSince] = [0, now];
    if (++this.refusals < Math.max(policy.refusals, perMinute)) return false;
    const isRepeat = this.bans > 0 && now <= this.bannedUntil + policy.repeatMs;
    this.bans = isRepeat ? this.bans + 1 : 1;
    this.bannedUntil = now + Math.min(policy.firstMs * policy.factor ** (this.bans - 1), policy.longestMs);
    this.refusals = 0;
    return true;
  }

  /** Takes over a ban that Redis reported. */
  ban(now: number, banMs: number, bans: number): void {
    this.bannedUntil = Math.max(this.bannedUntil, now + banMs);
    this.bans = Math.max(this.bans, bans);
  }

  /** Ends the ban, and forgets refusals and bans before it. Whether there was one. */
  liftBan(now: number): boolean {
    const wasBanned = this.bannedUntil > now;
    this.bannedUntil = this.bans = this.refusals = 0;
    return wasBanned;
  }

  /** @param unixNow what `now` is in Unix time */
  state(now: number, limits: RateLimits, unixNow: number): SubjectState {
    return {
      now: unixNow,
      minuteUsed: this.minute.used,
      minuteResetMs: this.minute.resetMs(now, limits.perMinute),
      dayUsed: this.day.used,
      dayResetMs: this.day.resetMs(now, limits.perDay),
      banMs: Math.max(0, Math.ceil(this.bannedUntil - now)),
      bans: this.bans,
    };
  }
}
