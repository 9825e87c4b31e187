import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ReadinessReport } from '@petstore/observability';
import type { DatabaseStatus } from '@petstore/persistence';
import { FRESH_FOR_MS, MOST_WAITING, PublicReadiness } from './public-readiness.js';
import { Readiness, type ReadinessParts } from './readiness.js';

const database = (status: DatabaseStatus) => (): Promise<DatabaseStatus> => Promise.resolve(status);

const WELL: ReadinessParts = {
  database: database('ok'),
  isLimiterDegraded: () => false,
  areKeyEventsMissing: () => false,
  isStopping: () => false,
  isStalled: () => false,
};

describe('Readiness', () => {
  it.each<[string, Partial<ReadinessParts>, ReadinessReport]>([
    ['ok when all is well', {}, { status: 'ok' }],
    ['degraded without Redis', { isLimiterDegraded: () => true }, { status: 'degraded', reasons: ['redis'] }],
    [
      'degraded when requests are served and the check fails',
      { database: database('busy') },
      { status: 'degraded', reasons: ['database'] },
    ],
    [
      'degraded for both',
      { database: database('busy'), isLimiterDegraded: () => true },
      { status: 'degraded', reasons: ['database', 'redis'] },
    ],
    [
      'unavailable when no request is served',
      { database: database('unavailable') },
      { status: 'unavailable', reasons: ['database'] },
    ],
    [
      'unavailable when the schema is too old',
      { database: database('schema_outdated') },
      { status: 'unavailable', reasons: ['migrations'] },
    ],
    [
      'unavailable when it admits nothing',
      { isStalled: () => true },
      { status: 'unavailable', reasons: ['overload'] },
    ],
    [
      'unavailable while it stops, whatever else',
      { isStopping: () => true, database: database('unavailable') },
      { status: 'unavailable', reasons: ['stopping'] },
    ],
  ])('is %s', async (_what, parts, expected) => {
    expect(await new Readiness({ ...WELL, ...parts }).check()).toEqual(expected);
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
      () =>
        new Promise((resolve, reject) => {
          looks.push((report) => {
            if (report instanceof Error) reject(report);
            else resolve(report);
          });
        }),
      () => stopping,
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
    const waiting = Array.from({ length: MOST_WAITING }, async () => readiness.check());
    expect(readiness.check()).toBe(OK);
    expect(looks).toHaveLength(1 + MOST_WAITING);
    for (const look of looks) look(UNAVAILABLE);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => UNAVAILABLE));
    expect(readiness.check()).toBe(UNAVAILABLE);
  });

  it('has no report for those who find no place before the first look has ended', () => {
    for (let i = 0; i < MOST_WAITING; i++) void readiness.check();
    expect(readiness.check()).toBeUndefined();
  });

  it('gives places back when a look fails', async () => {
    const waiting = Array.from({ length: MOST_WAITING }, async () => readiness.check());
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
