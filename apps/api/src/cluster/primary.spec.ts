import { describe, expect, it } from '@jest/globals';
import type { ReadinessReport } from '@petstore/observability';
import { groupReadiness } from './primary.js';

const OK: ReadinessReport = { status: 'ok' };
const WITHOUT_REDIS: ReadinessReport = { status: 'degraded', reasons: ['redis'] };
const WITHOUT_DATABASE: ReadinessReport = { status: 'unavailable', reasons: ['database'] };

describe('readiness of several processes', () => {
  it.each<[string, ReadinessReport[], number, ReadinessReport]>([
    ['ok when all are', [OK, OK], 2, OK],
    ['degraded when one is', [OK, WITHOUT_REDIS], 2, WITHOUT_REDIS],
    ['degraded while one is missing', [OK], 2, { status: 'degraded', reasons: ['workers'] }],
    [
      'degraded while one cannot serve and another can',
      [OK, WITHOUT_DATABASE],
      2,
      { status: 'degraded', reasons: ['database'] },
    ],
    ['unavailable when none can serve', [WITHOUT_DATABASE, WITHOUT_DATABASE], 2, WITHOUT_DATABASE],
    ['unavailable when there is none', [], 2, { status: 'unavailable', reasons: ['workers'] }],
  ])('is %s', (_what, reports, count, expected) => {
    expect(groupReadiness(reports, count)).toEqual(expected);
  });
});
