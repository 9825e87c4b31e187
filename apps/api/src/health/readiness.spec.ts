import { describe, expect, it } from '@jest/globals';
import type { ReadinessReport } from '@petstore/observability';
import { Readiness, type ReadinessParts } from './readiness.js';

const never = (): Promise<never> => new Promise(() => undefined);
const fails = (): Promise<never> => Promise.reject(new Error('53300'));

const WELL: ReadinessParts = {
  missingMigrations: () => Promise.resolve([]),
  databaseAnswers: () => Promise.resolve(),
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
      'degraded when requests are answered and the check is not',
      { missingMigrations: fails },
      { status: 'degraded', reasons: ['database'] },
    ],
    [
      'degraded for both',
      { missingMigrations: fails, isLimiterDegraded: () => true },
      { status: 'degraded', reasons: ['database', 'redis'] },
    ],
    [
      'unavailable when nothing is answered',
      { missingMigrations: fails, databaseAnswers: fails },
      { status: 'unavailable', reasons: ['database'] },
    ],
    [
      'unavailable when nothing is said at all',
      { missingMigrations: never },
      { status: 'unavailable', reasons: ['database'] },
    ],
    [
      'unavailable when the schema is too old',
      { missingMigrations: () => Promise.resolve(['a']) },
      { status: 'unavailable', reasons: ['migrations'] },
    ],
    [
      'unavailable when it admits nothing',
      { isStalled: () => true },
      { status: 'unavailable', reasons: ['overload'] },
    ],
    [
      'unavailable while it stops, whatever else',
      { isStopping: () => true, missingMigrations: never },
      { status: 'unavailable', reasons: ['stopping'] },
    ],
  ])('is %s', async (_what, parts, expected) => {
    expect(await new Readiness({ ...WELL, ...parts }).check()).toEqual(expected);
  });

  it('asks once, however many ask', async () => {
    let asked = 0;
    const readiness = new Readiness({
      ...WELL,
      missingMigrations: () => {
        asked++;
        return Promise.resolve([]);
      },
    });
    await Promise.all(Array.from({ length: 100 }, readiness.check));
    expect(asked).toBe(1);
  });
});
