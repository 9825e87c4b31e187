import type { ReadinessReport } from '@petstore/observability';
import { LoopTimer } from '@petstore/persistence';

/** Longest that the database may take to say how it is, in milliseconds: within the patience of usual probes. */
const PATIENCE = 1_500;

export interface ReadinessParts {
  /** Names of the migrations that the schema lacks; rejects when the database does not answer. */
  readonly missingMigrations: () => Promise<readonly string[]>;
  /** Resolves when a session with the database answers that requests use, whatever others do. */
  readonly databaseAnswers: () => Promise<void>;
  /** Whether the limiter is without its Redis, which it can be for as long as it takes. */
  readonly isLimiterDegraded: () => boolean;
  /** Whether the service should be sent no more requests. */
  readonly isStopping: () => boolean;
}

/** What is wrong with the database, and whether requests can be served all the same. */
interface Trouble {
  readonly reason: 'database' | 'migrations';
  readonly serves: boolean;
}

const SILENT: Trouble = { reason: 'database', serves: false };

/** Can the service serve? However many ask at once, the database is asked once. */
export class Readiness {
  private asked: Promise<Trouble | undefined> | undefined;

  constructor(private readonly parts: ReadinessParts) {}

  readonly check = async (): Promise<ReadinessReport> => {
    const { isLimiterDegraded, isStopping } = this.parts;
    if (isStopping()) return { status: 'unavailable', reasons: ['stopping'] };
    this.asked ??= this.askInTime().finally(() => (this.asked = undefined));
    const trouble = await this.asked;
    if (trouble?.serves === false) return { status: 'unavailable', reasons: [trouble.reason] };
    const reasons = [...(trouble ? [trouble.reason] : []), ...(isLimiterDegraded() ? ['redis'] : [])];
    return reasons.length > 0 ? { status: 'degraded', reasons } : { status: 'ok' };
  };

  private askInTime(): Promise<Trouble | undefined> {
    return new Promise((resolve) => {
      const timer = new LoopTimer(PATIENCE, () => {
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
