import { Injectable, Optional } from '@nestjs/common';
import { Counter, Gauge, Telemetry } from '@petstore/observability';

/** How the limiter decided. */
export type LimiterOutcome = 'admitted' | 'refused' | 'banned';

/** Whom it decided about: a key, or an address without an accepted one. */
export type LimitedSubject = 'key' | 'address';

/** Decisions and bans of the limiter, and how long it has been without its Redis. */
@Injectable()
export class LimiterMetrics {
  /** Counted here and reported with a scrape: looking up a counter by its labels costs more than counting. */
  private readonly decisions: Record<LimitedSubject, Record<LimiterOutcome, number>> = {
    key: { admitted: 0, refused: 0, banned: 0 },
    address: { admitted: 0, refused: 0, banned: 0 },
  };
  private readonly bans: Counter;
  /** Redis nodes that are unavailable. */
  private readonly unavailable = new Set<string>();
  private degradedMs = 0;
  private countedUntil = 0;

  /** @param now milliseconds on a clock that never goes back */
  constructor(
    { registry }: Telemetry,
    @Optional() private readonly now: () => number = () => performance.now(),
  ) {
    const registers = [registry];
    const { decisions } = this;
    new Counter({
      name: 'petstore_rate_limit_decisions_total',
      help: 'Decisions of the rate limiter: requests of keys, and of addresses without an accepted key.',
      labelNames: ['outcome', 'subject'],
      registers,
      collect() {
        this.reset();
        for (const [subject, outcomes] of Object.entries(decisions)) {
          for (const [outcome, count] of Object.entries(outcomes)) this.inc({ outcome, subject }, count);
        }
      },
    });
    this.bans = new Counter({
      name: 'petstore_rate_limit_bans_total',
      help: 'Keys banned because they went on after being refused.',
      registers,
    });
    const nodes = (): number => this.unavailable.size;
    new Gauge({
      name: 'petstore_rate_limit_degraded_nodes',
      help: 'Redis nodes that are unavailable, so that their limits are kept in the process.',
      aggregator: 'max',
      registers,
      collect() {
        this.set(nodes());
      },
    });
    const seconds = (): number => this.degradedSeconds();
    new Counter({
      name: 'petstore_rate_limit_degraded_seconds_total',
      help: 'Time during which at least one Redis node was unavailable.',
      aggregator: 'max',
      registers,
      collect() {
        this.reset();
        this.inc(seconds());
      },
    });
  }

  /** Whether limits are kept in the process because a Redis node is unavailable. */
  get isDegraded(): boolean {
    return this.unavailable.size > 0;
  }

  decided(subject: LimitedSubject, outcome: LimiterOutcome): void {
    this.decisions[subject][outcome]++;
  }

  banned(): void {
    this.bans.inc();
  }

  degraded(node: string): void {
    this.count();
    this.unavailable.add(node);
  }

  recovered(node: string): void {
    this.count();
    this.unavailable.delete(node);
  }

  private degradedSeconds(): number {
    this.count();
    return this.degradedMs / 1000;
  }

  private count(): void {
    const now = this.now();
    if (this.unavailable.size > 0) this.degradedMs += now - this.countedUntil;
    this.countedUntil = now;
  }
}
