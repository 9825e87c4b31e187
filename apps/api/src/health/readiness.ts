import { Inject, Injectable } from '@nestjs/common';
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
