import { beforeEach, describe, expect, it } from '@jest/globals';
import type { GracefulShutdown } from '@petstore/http-server';
import type { ReadinessReport } from '@petstore/observability';
import type { DatabaseHealth, DatabaseStatus } from '@petstore/persistence';
import type { RateLimitTelemetry } from '../access/rate-limit-telemetry.js';
import { createLog, type Log } from '../logging/log.js';
import { FRESH_FOR_MS, MAX_WAITING, PublicReadiness, Readiness } from './readiness.js';

/** The states that a report is made of. */
interface Parts {
  readonly database?: DatabaseStatus;
  readonly isDegraded?: boolean;
  readonly isStopping?: boolean;
}

const readinessOf = ({ database = 'ok', ...parts }: Parts, log: Log): Readiness =>
  new Readiness(
    { check: () => Promise.resolve(database) } as DatabaseHealth,
    { isDegraded: false, ...parts } as RateLimitTelemetry,
    { isStopping: false, ...parts } as GracefulShutdown,
    log,
  );

describe('Readiness', () => {
  it.each<[string, Parts, ReadinessReport]>([
    ['ok when all is well', {}, { status: 'ok' }],
    ['degraded without Redis', { isDegraded: true }, { status: 'degraded', reasons: ['redis'] }],
    [
      'degraded when requests are served and the check fails',
      { database: 'busy' },
      { status: 'degraded', reasons: ['database'] },
    ],
    [
      'degraded when the database takes no writes',
      { database: 'read_only' },
      { status: 'degraded', reasons: ['read_only'] },
    ],
    [
      'degraded for both',
      { database: 'busy', isDegraded: true },
      { status: 'degraded', reasons: ['database', 'redis'] },
    ],
    [
      'unavailable when no request is served',
      { database: 'unavailable' },
      { status: 'unavailable', reasons: ['database'] },
    ],
    [
      'unavailable when the schema is too old',
      { database: 'schema_outdated' },
      { status: 'unavailable', reasons: ['migrations'] },
    ],
    [
      'unavailable while it stops, whatever else',
      { isStopping: true, database: 'unavailable' },
      { status: 'unavailable', reasons: ['stopping'] },
    ],
  ])('is %s, and logged once', async (_what, parts, expected) => {
    const lines: string[] = [];
    const readiness = readinessOf(parts, createLog('info', { write: (line) => void lines.push(line) }));
    expect(await readiness.check()).toEqual(expected);
    expect(await readiness.check()).toEqual(expected);
    expect(lines).toHaveLength(expected.status === 'ok' ? 0 : 1);
  });
});

describe('PublicReadiness', () => {
  const OK: ReadinessReport = { status: 'ok' };
  const UNAVAILABLE: ReadinessReport = { status: 'unavailable', reasons: ['database'] };

  let looks: ((report: ReadinessReport | Error) => void)[];
  let now: number;
  let stopping: boolean;
  let readiness: PublicReadiness;

  beforeEach(() => {
    looks = [];
    now = 1_000;
    stopping = false;
    readiness = new PublicReadiness(
      {
        check: () =>
          new Promise((resolve, reject) => {
            looks.push((report) => {
              if (report instanceof Error) reject(report);
              else resolve(report);
            });
          }),
      } as Readiness,
      {
        get isStopping() {
          return stopping;
        },
      } as GracefulShutdown,
      () => now,
    );
  });

  async function expectReport(report: ReadinessReport): Promise<void> {
    const given = readiness.check();
    looks.at(-1)?.(report);
    expect(await given).toBe(report);
  }

  it('gives one report again for a tenth of a second, then looks again', async () => {
    await expectReport(OK);
    now += FRESH_FOR_MS - 1;
    expect(readiness.check()).toBe(OK);
    expect(looks).toHaveLength(1);
    now += 1;
    await expectReport(UNAVAILABLE);
    expect(looks).toHaveLength(2);
  });

  it('lets sixteen wait, and gives the last report to the others', async () => {
    await expectReport(OK);
    now += FRESH_FOR_MS;
    const waiting = Array.from({ length: MAX_WAITING }, async () => readiness.check());
    expect(readiness.check()).toBe(OK);
    expect(looks).toHaveLength(1 + MAX_WAITING);
    for (const look of looks) look(UNAVAILABLE);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => UNAVAILABLE));
    expect(readiness.check()).toBe(UNAVAILABLE);
  });

  it('has no report for those who find no place before the first look has ended', () => {
    for (let i = 0; i < MAX_WAITING; i++) void readiness.check();
    expect(readiness.check()).toBeUndefined();
  });

  it('gives places back when a look fails', async () => {
    const waiting = Array.from({ length: MAX_WAITING }, async () => readiness.check());
    for (const look of looks) look(new Error('broken'));
    for (const report of waiting) await expect(report).rejects.toThrow('broken');
    await expectReport(OK);
  });

  it('does not give an old report once the service is stopping', async () => {
    await expectReport(OK);
    stopping = true;
    const report = readiness.check();
    looks.at(-1)?.(UNAVAILABLE);
    expect(await report).toBe(UNAVAILABLE);
  });
});
