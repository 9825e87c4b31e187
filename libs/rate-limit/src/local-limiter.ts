import { LRUCache } from 'lru-cache';
import { RateLimitResult, type SubjectState } from './rate-limit-result.js';
import { type BanPolicy, DAY, MINUTE, type RateLimitSubject } from './subject.js';
import { SlidingWindows } from './sliding-windows.js';

/** Most subjects of a kind that a process counts; beyond it the least recently used one begins anew. */
const MOST_SUBJECTS = 20_000;

/** What the process knows of a subject. */
interface Entry {
  /** What this process has admitted by itself. */
  readonly windows: SlidingWindows;
  /** What Redis said last, and when on the process' clock. */
  last?: SubjectState;
  lastAt: number;
}

/**
 * Decides in the process. With Redis it stands in while that is unavailable, and remembers what Redis said last about each
 * subject. Keys, addresses and shares of keys have a table each, so that none displaces another.
 */
export class LocalLimiter {
  private readonly keys = new LRUCache<string, Entry>({ max: MOST_SUBJECTS });
  private readonly addresses = new LRUCache<string, Entry>({ max: MOST_SUBJECTS });
  private readonly shares = new LRUCache<string, Entry>({ max: MOST_SUBJECTS });

  /** @param clock for tests: Unix time in milliseconds, instead of the system's clocks */
  constructor(
    private readonly banPolicy: BanPolicy | undefined,
    private readonly clock: (() => number) | undefined,
  ) {}

  /** Decides about one request. */
  consume(subjects: readonly RateLimitSubject[]): RateLimitResult {
    const [now, unixNow] = [this.now(), this.unixNow()];
    const all = subjects.map((subject) => ({ subject, windows: this.entryOf(subject).windows }));
    const refusedBy = all.findIndex(({ subject, windows }) => windows.room(now, subject.limits) === 0);
    const isAdmitted = refusedBy < 0;
    const decider = all[isAdmitted ? all.length - 1 : refusedBy];
    if (decider === undefined) throw new RangeError('a request consumes from one subject at least');
    const { subject, windows } = decider;
    if (isAdmitted) for (const each of all) each.windows.add(now);
    const banStarted =
      !isAdmitted && subject.bannable === true && windows.refuse(now, subject.limits, this.banPolicy);
    const state = windows.state(now, subject.limits, unixNow);
    return new RateLimitResult(subject, state, isAdmitted, banStarted);
  }

  /** What a request would get, by this process' own count. */
  look(subject: RateLimitSubject): RateLimitResult {
    const now = this.now();
    const windows = this.tableOf(subject).peek(subject.id)?.windows ?? new SlidingWindows();
    windows.room(now, subject.limits);
    return RateLimitResult.ofLook(subject, windows.state(now, subject.limits, this.unixNow()));
  }

  /** Remembers what Redis said; a ban goes on through an outage. */
  remember(subject: RateLimitSubject, state: SubjectState): void {
    const entry = this.entryOf(subject);
    const now = this.now();
    entry.last = state;
    entry.lastAt = now;
    if (state.banMs > 0) entry.windows.ban(now, state.banMs, state.bans);
  }

  /**
   * What a request would get by what Redis said last: what other processes have admitted since is missing; `undefined` when
   * it has said nothing.
   */
  recall(subject: RateLimitSubject): RateLimitResult | undefined {
    const { last, lastAt } = this.tableOf(subject).peek(subject.id) ?? { lastAt: 0 };
    if (last === undefined) return undefined;
    const age = this.now() - lastAt;
    return RateLimitResult.ofLook(subject, {
      now: this.unixNow(),
      minuteUsed: age > MINUTE.lengthMs ? 0 : last.minuteUsed,
      minuteResetMs: Math.max(0, last.minuteResetMs - age),
      dayUsed: age > DAY.lengthMs ? 0 : last.dayUsed,
      dayResetMs: Math.max(0, last.dayResetMs - age),
      banMs: Math.max(0, last.banMs - age),
      bans: last.bans,
    });
  }

  /** Ends the ban of a key, as far as this process knows of it. Whether there was one. */
  liftBan(id: string): boolean {
    const entry = this.keys.peek(id);
    if (entry === undefined) return false;
    if (entry.last !== undefined) entry.last = { ...entry.last, banMs: 0, bans: 0 };
    return entry.windows.liftBan(this.now());
  }

  clear(): void {
    for (const table of [this.keys, this.addresses, this.shares]) table.clear();
  }

  private tableOf({ isAnonymous, partOf }: RateLimitSubject): LRUCache<string, Entry> {
    if (isAnonymous === true) return this.addresses;
    return partOf === undefined ? this.keys : this.shares;
  }

  private entryOf(subject: RateLimitSubject): Entry {
    const table = this.tableOf(subject);
    let entry = table.get(subject.id);
    if (entry === undefined) {
      entry = { windows: new SlidingWindows(), lastAt: 0 };
      table.set(subject.id, entry);
    }
    return entry;
  }

  /** Milliseconds of a clock that is never set. */
  private now(): number {
    return this.clock?.() ?? performance.timeOrigin + performance.now();
  }

  private unixNow(): number {
    return this.clock?.() ?? Date.now();
  }
}
