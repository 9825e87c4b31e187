import { Inject, Injectable, Optional } from '@nestjs/common';
import { keyIdOfSubject, KeyUsageRecorder } from '@petstore/api-key';
import { Counter, Gauge, Telemetry } from '@petstore/observability';
import type {
  Degradation,
  RateLimitObserver,
  RateLimitResult,
  RateLimitSubject,
  Recovery,
} from '@petstore/rate-limit';
import { type Log, LOG } from '../logging/log.js';

/** Least time between two log lines about lost counters: Redis may lose thousands. */
const LOSSES_LOGGED_MS = 60_000;

/** Records what the limiter does: metrics, refusals and bans of keys, changes of state in the log. */
@Injectable()
export class RateLimitTelemetry implements RateLimitObserver {
  private readonly decisions: Counter<'outcome' | 'subject'>;
  private readonly bans: Counter;
  private readonly losses: Counter;
  private readonly nodes: Gauge;
  /** Losses since the last log line about them, and when that was written. */
  private unloggedLosses = 0;
  private lossesLoggedAt = -Infinity;
  /** Redis nodes that are unavailable. */
  private readonly unavailable = new Set<string>();

  /** @param now milliseconds on a clock that never goes back */
  constructor(
    { registry }: Telemetry,
    @Inject(LOG) private readonly log: Log,
    private readonly usage: KeyUsageRecorder,
    @Optional() private readonly now: () => number = () => performance.now(),
  ) {
    const registers = [registry];
    this.decisions = new Counter({
      name: 'petstore_rate_limit_decisions_total',
      help: 'Decisions of the rate limiter: requests of keys, of one visitor with a publishable key, and of addresses without an accepted key.',
      labelNames: ['outcome', 'subject'],
      registers,
    });
    for (const subject of ['key', 'visitor', 'address']) {
      for (const outcome of ['admitted', 'refused', 'banned']) this.decisions.inc({ outcome, subject }, 0);
    }
    this.bans = new Counter({
      name: 'petstore_rate_limit_bans_total',
      help: 'Keys banned because they went on after being refused.',
      registers,
    });
    this.losses = new Counter({
      name: 'petstore_rate_limit_lost_counters_total',
      help: 'Keys that began anew because Redis had lost a part of their counts, or its clock was set back.',
      registers,
    });
    this.nodes = new Gauge({
      name: 'petstore_rate_limit_degraded_nodes',
      help: 'Redis nodes that are unavailable, so that their limits are kept in the process.',
      registers,
    });
  }

  /** Whether limits are kept in the process because a Redis node is unavailable. */
  get isDegraded(): boolean {
    return this.unavailable.size > 0;
  }

  decided(subject: RateLimitSubject, { admitted, banMs }: RateLimitResult): void {
    const keyId = keyIdOfSubject(subject.partOf ?? subject.id);
    const outcome = admitted ? 'admitted' : banMs > 0 ? 'banned' : 'refused';
    const kind = subject.partOf === undefined ? 'key' : 'visitor';
    this.decisions.inc({ outcome, subject: keyId === undefined ? 'address' : kind });
    if (!admitted && keyId !== undefined) this.usage.refused(keyId);
  }

  banned(subject: RateLimitSubject, { now, retryAfterMs }: RateLimitResult): void {
    this.bans.inc();
    const until = new Date(now + retryAfterMs);
    const keyId = keyIdOfSubject(subject.id);
    if (keyId !== undefined) this.usage.banned(keyId, until);
    this.log.warn({ keyId, until }, 'key banned');
  }

  degraded({ node, reason, refused }: Degradation): void {
    this.unavailable.add(node);
    this.nodes.set(this.unavailable.size);
    const what = refused ? 'redis refuses the limiter' : 'redis unavailable';
    this.log.error({ node, reason }, `${what}, using local limits`);
  }

  recovered({ node, afterMs }: Recovery): void {
    this.unavailable.delete(node);
    this.nodes.set(this.unavailable.size);
    this.log.info({ node, afterMs }, 'redis available, sharing limits again');
  }

  lost(): void {
    this.losses.inc();
    this.unloggedLosses++;
    const now = this.now();
    if (now - this.lossesLoggedAt < LOSSES_LOGGED_MS) return;
    this.log.warn({ count: this.unloggedLosses }, 'redis lost counters, keys begin anew');
    this.unloggedLosses = 0;
    this.lossesLoggedAt = now;
  }
}
