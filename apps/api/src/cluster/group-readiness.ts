import type { ReadinessReport } from '@petstore/observability';

/**
 * Whether several processes behind one port can serve: they can while one of them can. What is not as it should
 * be with any of them is told.
 *
 * @param complete whether every process that should be there has reported
 */
export function groupReadiness(reports: readonly ReadinessReport[], complete: boolean): ReadinessReport {
  const reasons = new Set(reports.flatMap((report) => report.reasons ?? []));
  if (!complete) reasons.add('workers');
  const canServe = reports.some(({ status }) => status !== 'unavailable');
  if (!canServe) return { status: 'unavailable', reasons: [...reasons] };
  return reasons.size > 0 ? { status: 'degraded', reasons: [...reasons] } : { status: 'ok' };
}
