import { describe, expect, it } from '@jest/globals';
import type { ReadinessReport } from '@petstore/observability';
import { groupReadiness } from './group-readiness.js';

const OK: ReadinessReport = { status: 'ok' };
const WITHOUT_REDIS: ReadinessReport = { status: 'degraded', reasons: ['redis'] };
const WITHOUT_DATABASE: ReadinessReport = { status: 'unavailable', reasons: ['database'] };

describe('groupReadiness', () => {
  it.each<[string, ReadinessReport[], boolean, ReadinessReport]>([
    ['ok when all are', [OK, OK], true, OK],
    ['degraded when one is', [OK, WITHOUT_REDIS], true, WITHOUT_REDIS],
    ['degraded while one is missing', [OK], false, { status: 'degraded', reasons: ['workers'] }],
    [
      'degraded while one cannot serve and another can',
      [OK, WITHOUT_DATABASE],
      true,
      { status: 'degraded', reasons: ['database'] },
    ],
    ['unavailable when none can serve', [WITHOUT_DATABASE, WITHOUT_DATABASE], true, WITHOUT_DATABASE],
    ['unavailable when there is none', [], false, { status: 'unavailable', reasons: ['workers'] }],
  ])('is %s', (_what, reports, complete, expected) => {
    expect(groupReadiness(reports, complete)).toEqual(expected);
  });
});
