import type { ReadinessReport } from '@petstore/observability';

/**
 * The readiness of several processes behind one port: available while one of them is. The reasons of all are listed.
 *
 * @param complete whether every expected process has reported
 */
export function groupReadiness(reports: readonly ReadinessReport[], complete: boolean): ReadinessReport {
  const reasons = new Set(reports.flatMap((report) => report.reasons ?? []));
  if (!complete) reasons.add('workers');
  const canServe = reports.some(({ status }) => status !== 'unavailable');
  if (!canServe) return { status: 'unavailable', reasons: [...reasons] };
  return reasons.size > 0 ? { status: 'degraded', reasons: [...reasons] } : { status: 'ok' };
}
