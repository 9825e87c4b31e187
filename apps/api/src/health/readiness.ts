import { Inject, Injectable } from '@nestjs/common';
import type { ReadinessReport } from '@petstore/observability';
import { LoopTimer } from '@petstore/persistence';

/** Longest that the database may take to answer: shorter than the time-outs of usual probes. */
const DATABASE_TIMEOUT_MS = 1_500;

export interface ReadinessParts {
  /** Names of the migrations that the schema lacks; rejects when the database does not answer. */
  readonly missingMigrations: () => Promise<readonly string[]>;
  /** Resolves when a session with the database answers that requests use, whatever others do. */
  readonly databaseAnswers: () => Promise<void>;
  /** Whether the limiter is without its Redis, which it can be for as long as it takes. */
  readonly isLimiterDegraded: () => boolean;
  /** Whether news of changed keys do not arrive, so that changes take seconds. */
  readonly areKeyEventsMissing: () => boolean;
  /** Whether the service should be sent no more requests. */
  readonly isStopping: () => boolean;
  /** Whether the process has admitted nothing for so long that others should serve instead. */
  readonly isStalled: () => boolean;
  /** Told of a report that differs from the one before; before the first one all is taken to be well. */
  readonly changed?: (report: ReadinessReport) => void;
}

/** What is wrong with the database, and whether requests can be served all the same. */
interface Trouble {
  readonly reason: 'database' | 'migrations';
  readonly serves: boolean;
}

const SILENT: Trouble = { reason: 'database', serves: false };

/** Injection token of {@link ReadinessParts}. */
export const READINESS_PARTS = Symbol('ReadinessParts');

/** Can the service serve? However many ask at once, the database is asked once. */
@Injectable()
export class Readiness {
  private asked: Promise<Trouble | undefined> | undefined;
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
    const { isLimiterDegraded, areKeyEventsMissing, isStopping, isStalled } = this.parts;
    if (isStopping()) return { status: 'unavailable', reasons: ['stopping'] };
    if (isStalled()) return { status: 'unavailable', reasons: ['overload'] };
    this.asked ??= this.askInTime().finally(() => (this.asked = undefined));
    const trouble = await this.asked;
    if (trouble?.serves === false) return { status: 'unavailable', reasons: [trouble.reason] };
    const reasons: string[] = trouble === undefined ? [] : [trouble.reason];
    // A Redis that is away brings no events either.
    if (isLimiterDegraded()) reasons.push('redis');
    else if (areKeyEventsMissing()) reasons.push('key_events');
    return reasons.length > 0 ? { status: 'degraded', reasons } : { status: 'ok' };
  }

  private askInTime(): Promise<Trouble | undefined> {
    return new Promise((resolve) => {
      const timer = new LoopTimer(DATABASE_TIMEOUT_MS, () => {
        resolve(SILENT);
      });
      void this.askDatabase().then((trouble) => {
        timer.cancel();
        resolve(trouble);
      });
    });
  }

  private async askDatabase(): Promise<Trouble | undefined> {
    const { missingMigrations, databaseAnswers } = this.parts;
    try {
      return (await missingMigrations()).length > 0 ? { reason: 'migrations', serves: false } : undefined;
    } catch {
      // No connection is free for this, or somebody holds a lock: that is no reason to send requests elsewhere.
      return databaseAnswers().then(
        () => ({ reason: 'database', serves: true }) as const,
        () => SILENT,
      );
    }
  }
}

function textOf({ status, reasons = [] }: ReadinessReport): string {
  return [status, ...reasons].join(' ');
}
