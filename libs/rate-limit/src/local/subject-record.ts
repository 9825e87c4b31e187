import type { RedisSnapshot, WindowSnapshot, WindowUse } from '../limiter/rate-limit-result.js';
import { type BanPolicy, type PlanLimits, type RateLimitSubject, SMALL_KEPT_MS } from '../policy.js';
import { SubjectCounters } from './subject-counters.js';

/** Time for which {@link SubjectRecord.peek} uses a response of Redis, in microseconds. */
const FRESH_US = 1_000_000;

/**
 * What this process has admitted of a subject, and what Redis has counted of that. Redis decides for all processes; these
 * counters are a second lock: a request has to pass both.
 */
export class SubjectRecord {
  readonly counters: SubjectCounters;
  /** Requests that were sent to Redis without a response so far: they may be admitted any moment. */
  pending = 0;
  /** Requests that were admitted here, and that Redis has not counted. */
  unsynced = 0;
  /** For the table: memory, and when the record was used last, in microseconds. */
  bytes = 0;
  usedAt = -Infinity;
  /** Requests that came after the latest unsynced one, and that Redis has counted. */
  private syncedAfter = 0;
  /** When the value in Redis was made, by its clock; 0 for unknown. One that was made anew has lost earlier counts. */
  private incarnation = 0;
  /** The last response of Redis, and when it came, on this process' clock in microseconds. */
  private latest: WindowSnapshot | undefined;
  private latestAt = -Infinity;

  /**
   * @param subject as its latest request had it
   * @param banPolicy `undefined` for no bans
   */
  constructor(
    public subject: RateLimitSubject,
    banPolicy: BanPolicy | undefined,
  ) {
    this.counters = new SubjectCounters(banPolicy);
  }

  /** How many of `wanted` requests this process can still admit. */
  allowed(now: number, limits: PlanLimits, wanted: number): number {
    return Math.max(0, Math.min(wanted, this.counters.room(now, limits) - this.pending));
  }

  /** State of the subject by these counters, and by the last response of Redis if that is fresh. */
  peek(now: number, subject: RateLimitSubject): WindowSnapshot {
    const { counters, latest, latestAt } = this;
    const local = counters.charge(now, subject, 0);
    return latest && now - latestAt < FRESH_US ? stricter(latest, local, subject.limits) : local;
  }

  /** Whether Redis has lost a value since it last responded: it keeps each for an hour at least. */
  isLost({ incarnation }: RedisSnapshot, now: number): boolean {
    return this.hasChanged(incarnation) && now - this.latestAt < SMALL_KEPT_MS * 1000;
  }

  /**
   * Counts what Redis has admitted of the requests that were sent at `sentAt`.
   *
   * @param isSynced whether they were sent with the unsynced ones
   * @returns how the subject stands by both counts
   */
  apply(
    reply: RedisSnapshot,
    limits: PlanLimits,
    sentAt: number,
    now: number,
    isSynced: boolean,
  ): WindowSnapshot {
    if (!isSynced && this.hasChanged(reply.incarnation)) this.unsynced = this.counters.day.sum;
    this.incarnation = reply.incarnation;
    // Not later than Redis has dated them, so that both locks open at once.
    if (reply.admitted > 0) this.counters.admit(sentAt, reply.admitted);
    if (this.unsynced > 0) this.syncedAfter += reply.admitted;
    this.counters.setBan(now, reply.banMs, reply.bans);
    this.latestAt = now;
    return (this.latest = stricter(reply, this.counters.use(now, limits), limits));
  }

  /**
   * Redis has counted after all what {@link addUnsynced} was called for.
   *
   * @param synced how many unsynced requests were sent with them
   */
  applyLate({ admitted, incarnation }: RedisSnapshot, synced: number): void {
    const isNew = synced === 0 && this.hasChanged(incarnation);
    this.unsynced = Math.max(0, (isNew ? this.counters.day.sum : this.unsynced - synced) - admitted);
    // Otherwise the next call would take the value for another one, and everything would be counted again.
    if (incarnation !== 0) this.incarnation = incarnation;
  }

  /** Redis has not counted `returned` requests that {@link takeUnsynced} gave, nor `admitted` new ones. */
  addUnsynced(returned: number, admitted: number): void {
    this.unsynced += returned + admitted;
    if (admitted > 0) this.syncedAfter = 0;
  }

  /** The unsynced requests as an argument of the script; they count as synced from now on. */
  takeUnsynced(now: number): string {
    const { unsynced, syncedAfter, incarnation, counters } = this;
    this.unsynced = 0;
    this.syncedAfter = 0;
    const [minute, day] = [counters.minute, counters.day].map((window) => window.spell(now, syncedAfter));
    return `${incarnation} ${unsynced} ${minute} ${day}`;
  }

  private hasChanged(incarnation: number): boolean {
    return this.incarnation !== 0 && this.incarnation !== incarnation;
  }
}

/** The result of a request that has to pass two counts: the fuller one decides. */
function stricter(
  shared: WindowSnapshot,
  { minute, day }: Pick<WindowSnapshot, 'minute' | 'day'>,
  { perMinute, perDay }: PlanLimits,
): WindowSnapshot {
  const both = { minute: fuller(shared.minute, minute, perMinute), day: fuller(shared.day, day, perDay) };
  return both.minute === shared.minute && both.day === shared.day ? shared : { ...shared, ...both };
}

function fuller(shared: WindowUse, local: WindowUse, limit: number): WindowUse {
  const [least, most] = shared.used < local.used ? [shared, local] : [local, shared];
  // Where both have to lose a request before there is room for another, the later one counts.
  const both = least.used === most.used || least.used >= limit;
  return both && least.resetMs > most.resetMs ? { used: most.used, resetMs: least.resetMs } : most;
}
