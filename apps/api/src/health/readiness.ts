import { Inject, Injectable, Optional } from '@nestjs/common';
import { GracefulShutdown, LoadShedder } from '@petstore/http-server';
import type { ReadinessReport } from '@petstore/observability';
import { DatabaseHealth } from '@petstore/persistence';
import { RateLimitTelemetry } from '../access/rate-limit-telemetry.js';
import { type Log, LOG } from '../logging/log.js';

/** Whether the service can serve. */
@Injectable()
export class Readiness {
  /** Status and reasons of the last report, as text; before the first one all is taken to be well. */
  private last = textOf({ status: 'ok' });

  constructor(
    private readonly database: DatabaseHealth,
    private readonly limiter: RateLimitTelemetry,
    private readonly shutdown: GracefulShutdown,
    private readonly shedder: LoadShedder,
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
    if (this.shedder.isStalled) return { status: 'unavailable', reasons: ['overload'] };
    const status = await this.database.check();
    if (status === 'unavailable') return { status: 'unavailable', reasons: ['database'] };
    if (status === 'schema_outdated') return { status: 'unavailable', reasons: ['migrations'] };
    // No connection is free for the check, or another session holds a lock: that is no reason to send requests elsewhere.
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

/** Most requests that wait for one look at the database. */
export const MAX_WAITING = 16;

/** For so long a report is given again without another look, in milliseconds: ten questions a second at most. */
export const FRESH_FOR_MS = 100;

/**
 * Readiness for a listener that anybody reaches, without a limit on requests. However many requests come, the database is
 * queried ten times a second at the most, and {@link MAX_WAITING} requests wait for it; a request that comes when these
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
