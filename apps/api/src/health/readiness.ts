import { Inject, Injectable, Optional } from '@nestjs/common';
import { GracefulShutdown } from '@petstore/http-server';
import type { ReadinessReport } from '@petstore/observability';
import { DatabaseHealth } from '@petstore/persistence';
import { RateLimitTelemetry } from '../access/rate-limit-telemetry.js';
import { type Log, LOG } from '../logging/log.js';

/** How long a report is repeated, in milliseconds: anyone may probe, and without a rate limit. */
const FRESH_FOR_MS = 100;

/** Whether the service can serve. */
@Injectable()
export class Readiness {
  private latest: Promise<ReadinessReport> | undefined;
  private askedAt = 0;
  /** Status and reasons of the last report, as text; `ok` before the first one. */
  private last = textOf({ status: 'ok' });

  /** @param now milliseconds on a clock that never goes back */
  constructor(
    private readonly database: DatabaseHealth,
    private readonly limiter: RateLimitTelemetry,
    private readonly shutdown: GracefulShutdown,
    @Inject(LOG) private readonly log: Log,
    @Optional() private readonly now: () => number = () => performance.now(),
  ) {}

  /** Queries the database, at most ten times a second; logs a report that differs from the one before. Never rejects. */
  readonly check = (): Promise<ReadinessReport> => {
    const isFresh = !this.shutdown.isStopping && this.now() - this.askedAt < FRESH_FOR_MS;
    if (this.latest === undefined || !isFresh) {
      this.askedAt = this.now();
      this.latest = this.ask();
    }
    return this.latest;
  };

  private async ask(): Promise<ReadinessReport> {
    const report = await this.report();
    const text = textOf(report);
    if (text !== this.last) {
      this.last = text;
      const { status, reasons } = report;
      this.log[status === 'ok' ? 'info' : 'warn']({ status, reasons }, 'readiness changed');
    }
    return report;
  }

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
