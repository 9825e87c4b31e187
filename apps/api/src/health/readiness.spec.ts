import { describe, expect, it } from '@jest/globals';
import type { ReadinessReport } from '@petstore/observability';
import type { DatabaseStatus } from '@petstore/persistence';
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
