import { Inject, Injectable, Optional } from '@nestjs/common';
import { GracefulShutdown } from '@petstore/http-server';
import type { ReadinessReport } from '@petstore/observability';
import { DatabaseHealth } from '@petstore/persistence';
import { RateLimitTelemetry } from '../access/rate-limit-telemetry.js';
import { type Log, LOG } from '../logging/log.js';

/** Whether the service can serve. */
@Injectable()
export class Readiness {
  /** Status and reasons of the last report, as text; `ok` before the first one. */
  private last = textOf({ status: 'ok' });

  constructor(
    private readonly database: DatabaseHealth,
    private readonly limiter: RateLimitTelemetry,
    private readonly shutdown: GracefulShutdown,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Queries the database; logs a report that differs from the one before. */
  readonly check = async (): Promise<ReadinessReport> => {
    const report = await this.report();
    const text = textOf(report);
    if (text !== this.last) {
      this.last = text;
      const { status, reasons } = report;
      this.log[status === 'ok' ? 'info' : 'warn']({ status, reasons }, 'readiness changed');
    }
    return report;
  };

  private async report(): Promise<ReadinessReport> {
    if (this.shutdown.isStopping) return { status: 'unavailable', reasons: ['stopping'] };
    const status = await this.database.check();
    if (status === 'unavailable') return { status: 'unavailable', reasons: ['database'] };
    if (status === 'schema_outdated') return { status: 'unavailable', reasons: ['migrations'] };
    // No connection is free for the check, or another session has a lock: requests need not go elsewhere.
    const reasons: string[] = status === 'busy' ? ['database'] : [];
    // Reads are served, and other instances have the same database.
    if (status === 'read_only') reasons.push('read_only');
    if (this.limiter.isDegraded) reasons.push('redis');
    return reasons.length > 0 ? { status: 'degraded', reasons } : { status: 'ok' };
  }
}

function textOf({ status, reasons = [] }: ReadinessReport): string {
  return [status, ...reasons].join(' ');
}

/** Most requests that wait for one check of the database. */
export const MAX_WAITING = 16;

/** How long a report is repeated without another check: at most ten checks a second. */
export const FRESH_FOR_MS = 100;

/**
 * Readiness for the public listener, without a rate limit. However many requests come, the database is checked at most
 * ten times a second, and at most {@link MAX_WAITING} requests wait for it; further ones get the last report at once. So a
 * flood of probes never makes the balancer's own probe fail.
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

  /** `undefined` when {@link MAX_WAITING} requests already wait for the first check. */
  check(): Promise<ReadinessReport> | ReadinessReport | undefined {
    // The last report is out of date.
    if (this.shutdown.isStopping) return this.readiness.check();
    const isFresh = this.last !== undefined && this.now() - this.lastAt < FRESH_FOR_MS;
    return isFresh || this.waiting >= MAX_WAITING ? this.last : this.lookAgain();
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
