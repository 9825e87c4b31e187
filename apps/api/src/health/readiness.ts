import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadinessReport } from '@petstore/observability';

/** Longest that the database may take to say how it is, in milliseconds: within the patience of usual probes. */
const PATIENCE = 1_500;

export interface ReadinessParts {
  /** Names of the migrations that the schema lacks; rejects when the database does not answer. */
  readonly missingMigrations: () => Promise<readonly string[]>;
  /** Whether the limiter is without its Redis, which it can be for as long as it takes. */
  readonly isLimiterDegraded: () => boolean;
  /** Whether the service should be sent no more requests. */
  readonly isStopping: () => boolean;
  /** Told of a report that differs from the one before; before the first one all is taken to be well. */
  readonly changed?: (report: ReadinessReport) => void;
}

/** Can the service serve? However many ask at once, the database is asked once. */
export class Readiness {
  private isStalled: () => boolean = () => false;
  private asked: Promise<string | undefined> | undefined;
  /** Status and reasons of the last report, as text. */
  private last = textOf({ status: 'ok' });

  constructor(private readonly parts: ReadinessParts) {}

  /** @param isStalled whether the process has admitted nothing for so long that others should serve instead */
  watchLoad(isStalled: () => boolean): void {
    this.isStalled = isStalled;
  }

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
    const { isLimiterDegraded, isStopping } = this.parts;
    if (isStopping()) return { status: 'unavailable', reasons: ['stopping'] };
    if (this.isStalled()) return { status: 'unavailable', reasons: ['overload'] };
    this.asked ??= this.askDatabase().finally(() => (this.asked = undefined));
    const trouble = await this.asked;
    if (trouble !== undefined) return { status: 'unavailable', reasons: [trouble] };
    return isLimiterDegraded() ? { status: 'degraded', reasons: ['redis'] } : { status: 'ok' };
  }

  private async askDatabase(): Promise<string | undefined> {
    const given = new AbortController();
    try {
      const missing = await Promise.race([
        this.parts.missingMigrations(),
        sleep(PATIENCE, undefined, { signal: given.signal, ref: false }),
      ]);
      if (missing === undefined) return 'database';
      return missing.length > 0 ? 'migrations' : undefined;
    } catch {
      return 'database';
    } finally {
      given.abort();
    }
  }
}

function textOf({ status, reasons = [] }: ReadinessReport): string {
  return [status, ...reasons].join(' ');
}
