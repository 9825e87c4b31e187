import { Injectable, Optional } from '@nestjs/common';
import { GracefulShutdown } from '@petstore/http-server';
import type { ReadinessReport } from '@petstore/observability';
import { Readiness } from './readiness.js';

/** Most requests that wait for one look at the database. */
export const MOST_WAITING = 16;

/** For so long a report is given again without another look, in milliseconds: ten questions a second at most. */
export const FRESH_FOR_MS = 100;

/**
 * Readiness for a listener that anybody reaches, without a limit on requests. However many requests come, the database is
 * queried ten times a second at the most, and {@link MOST_WAITING} requests wait for it; a request that comes when these
 * places are taken gets the last report at once. A flood of probes therefore never turns the balancer's own probe
 * into a refusal.
 */
@Injectable()
export class PublicReadiness {
  private last: ReadinessReport | undefined;
  private lastAt = 0;
  private waiting = 0;

  /** @param now milliseconds on a clock that never goes back */
  constructor(
    private readonly readiness: Readiness,
    private readonly shutdown: GracefulShutdown,
    @Optional() private readonly now: () => number = () => performance.now(),
  ) {}

  /** `undefined` when all places are taken before the first look has ended. */
  check(): Promise<ReadinessReport> | ReadinessReport | undefined {
    // The last report holds no longer.
    if (this.shutdown.isStopping) return this.readiness.check();
    const isFresh = this.last !== undefined && this.now() - this.lastAt < FRESH_FOR_MS;
    return isFresh || this.waiting >= MOST_WAITING ? this.last : this.lookAgain();
  }

  private async lookAgain(): Promise<ReadinessReport> {
    this.waiting++;
    try {
      const report = await this.readiness.check();
      this.last = report;
      this.lastAt = this.now();
      return report;
    } finally {
      this.waiting--;
    }
  }
}
