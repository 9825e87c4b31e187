import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadinessReport } from '@petstore/observability';

/** Longest that the database may take to say how it is, in milliseconds: within the patience of usual probes. */
const PATIENCE = 1_500;

export interface ReadinessParts {
  /** Names of the migrations that the schema lacks; rejects when the database does not answer. */
  readonly missingMigrations: () => Promise<readonly string[]>;
  /** Whether the limiter is without its Redis, which it can be for as long as it takes. */
  readonly isLimiterDegraded: () => boolean;
  /** Whether news of changed keys do not arrive, so that changes take seconds. */
  readonly areKeyEventsMissing: () => boolean;
  /** Whether the service should be sent no more requests. */
  readonly isStopping: () => boolean;
}

/** Can the service serve? However many ask at once, the database is asked once. */
export class Readiness {
  private asked: Promise<string | undefined> | undefined;

  constructor(private readonly parts: ReadinessParts) {}

  readonly check = async (): Promise<ReadinessReport> => {
    const { isLimiterDegraded, areKeyEventsMissing, isStopping } = this.parts;
    if (isStopping()) return { status: 'unavailable', reasons: ['stopping'] };
    this.asked ??= this.askDatabase().finally(() => (this.asked = undefined));
    const trouble = await this.asked;
    if (trouble !== undefined) return { status: 'unavailable', reasons: [trouble] };
    // A Redis that is away brings no news either.
    if (isLimiterDegraded()) return { status: 'degraded', reasons: ['redis'] };
    return areKeyEventsMissing() ? { status: 'degraded', reasons: ['key_events'] } : { status: 'ok' };
  };

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
