import { Inject, Injectable } from '@nestjs/common';
import type { ReadinessReport } from '@petstore/observability';
import type { DatabaseStatus } from '@petstore/persistence';

export interface ReadinessParts {
  /** Whether the database can serve; never rejects. */
  readonly database: () => Promise<DatabaseStatus>;
  /** Whether the limiter is without its Redis, which it can be for as long as it takes. */
  readonly isLimiterDegraded: () => boolean;
  /** Whether events of changed keys do not arrive, so that changes take seconds. */
  readonly areKeyEventsMissing: () => boolean;
  /** Whether the service should be sent no more requests. */
  readonly isStopping: () => boolean;
  /** Whether the process has admitted nothing for so long that others should serve instead. */
  readonly isStalled: () => boolean;
  /** Called with a report that differs from the one before; before the first one all is taken to be well. */
  readonly changed?: (report: ReadinessReport) => void;
}

/** Injection token of {@link ReadinessParts}. */
export const READINESS_PARTS = Symbol('ReadinessParts');

/** Whether the service can serve. */
@Injectable()
export class Readiness {
  /** Status and reasons of the last report, as text. */
  private last = textOf({ status: 'ok' });

  constructor(@Inject(READINESS_PARTS) private readonly parts: ReadinessParts) {}

  readonly check = async (): Promise<ReadinessReport> => {
    const report = await this.report();
    const text = textOf(report);
    if (text !== this.last) {
      this.last = text;
      this.parts.changed?.(report);
    }
    return report;
  };

  private async report(): Promise<ReadinessReport> {
    const { database, isLimiterDegraded, areKeyEventsMissing, isStopping, isStalled } = this.parts;
    if (isStopping()) return { status: 'unavailable', reasons: ['stopping'] };
    if (isStalled()) return { status: 'unavailable', reasons: ['overload'] };
    const status = await database();
    if (status === 'unavailable') return { status: 'unavailable', reasons: ['database'] };
    if (status === 'schema_outdated') return { status: 'unavailable', reasons: ['migrations'] };
    // No connection is free for the check, or another session holds a lock: that is no reason to send requests elsewhere.
    const reasons: string[] = status === 'busy' ? ['database'] : [];
    // A Redis that is unavailable brings no events either.
    if (isLimiterDegraded()) reasons.push('redis');
    else if (areKeyEventsMissing()) reasons.push('key_events');
    return reasons.length > 0 ? { status: 'degraded', reasons } : { status: 'ok' };
  }
}

function textOf({ status, reasons = [] }: ReadinessReport): string {
  return [status, ...reasons].join(' ');
}
