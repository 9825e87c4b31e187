import { describe, expect, it } from '@jest/globals';
import type { GracefulShutdown } from '@petstore/http-server';
import type { ReadinessReport } from '@petstore/observability';
import type { DatabaseHealth, DatabaseStatus } from '@petstore/persistence';
import type { RateLimitTelemetry } from '../access/rate-limit-telemetry.js';
import { createLog, type Log } from '../logging/log.js';
import { Readiness } from './readiness.js';

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

  it('asks the database at most ten times a second, and anew once the service is stopping', async () => {
    let asked = 0;
    let now = 5;
    let isStopping = false;
    const database = { check: () => Promise.resolve(++asked === 1 ? 'busy' : 'ok') };
    const shutdown = {
      get isStopping() {
        return isStopping;
      },
    };
    const readiness = new Readiness(
      database as DatabaseHealth,
      { isDegraded: false } as RateLimitTelemetry,
      shutdown as GracefulShutdown,
      createLog('silent'),
      () => now,
    );
    const statuses = async (): Promise<Set<string>> => {
      const reports = await Promise.all(Array.from({ length: 20 }, () => readiness.check()));
      return new Set(reports.map(({ status }) => status));
    };
    expect(await statuses()).toEqual(new Set(['degraded']));
    now += 99;
    expect(await statuses()).toEqual(new Set(['degraded']));
    now += 1;
    expect(await statuses()).toEqual(new Set(['ok']));
    expect(asked).toBe(2);
    isStopping = true;
    expect(await statuses()).toEqual(new Set(['unavailable']));
  });
});
