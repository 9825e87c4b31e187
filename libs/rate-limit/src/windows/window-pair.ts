import type { PlanLimits } from '../policy/plan.js';
import { DAY, MINUTE } from '../policy/rate-limit-window.js';
import type { MemoryAccount } from './memory-account.js';
import { SlidingWindow } from './sliding-window.js';

/** Batches that are left of a window when memory is short. */
const COARSE_BATCHES = 4;

/** The two windows that every admission is in, or in neither. */
export class WindowPair {
  readonly minute: SlidingWindow;
  readonly day: SlidingWindow;

  constructor(account?: MemoryAccount) {
    this.minute = new SlidingWindow(MINUTE.lengthMs, MINUTE.stepMs, account);
    this.day = new SlidingWindow(DAY.lengthMs, DAY.stepMs, account);
  }

  get isEmpty(): boolean {
    return this.day.total === 0 && this.minute.total === 0;
  }

  /** How many more requests there is room for; less than 0 under limits that were greater before. */
  room({ perMinute, perDay }: PlanLimits): number {
    return Math.min(perMinute - this.minute.total, perDay - this.day.total);
  }

  add(at: number, count: number): void {
    this.minute.add(at, count);
    this.day.add(at, count);
  }

  expire(at: number): void {
    this.minute.expire(at);
    this.day.expire(at);
  }

  /** Forgets a day's count of at most `small`, the last of which is `idleMs` old. The script does the same. */
  forgetSmall(at: number, small: number, idleMs: number): void {
    const { day } = this;
    if (day.total > 0 && day.total <= small && day.youngestAt <= at - idleMs) this.clear();
  }

  coarsen(): void {
    this.minute.coarsen(COARSE_BATCHES);
    this.day.coarsen(COARSE_BATCHES);
  }

  clear(): void {
    this.minute.clear();
    this.day.clear();
  }

  leaveAccount(): void {
    this.minute.leaveAccount();
    this.day.leaveAccount();
  }
}
