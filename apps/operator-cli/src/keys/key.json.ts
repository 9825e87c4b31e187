import { PETSTORE_PLANS } from '@petstore/api';
import { type ApiKey, type AuditEntry, type KeyReport, utcDay } from '@petstore/api-key';
import type { RateLimitStatus } from './limiter.js';

/** A key as scripts read it, and from which the tables for people are made. */
export type KeyJson = ReturnType<typeof keyJson>;
export type KeySettingsJson = ReturnType<typeof keySettingsJson>;
export type KeyDetailsJson = ReturnType<typeof keyDetailsJson>;

/** @param secret of a key that was issued, which is printed this once */
export function keySettingsJson(key: ApiKey, now: Date, secret?: string) {
  const { name, plan, scopes, expiresAt, origins } = key.settings;
  return {
    id: key.id,
    ...(secret !== undefined && { key: secret }),
    name,
    plan: plan.name,
    // Null on a plan of another version of the service.
    limits: PETSTORE_PLANS.limitsOf(plan) ?? null,
    kind: key.kind,
    scopes,
    origins: origins?.entries ?? [],
    state: key.stateAt(now),
    createdAt: key.createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: key.revokedAt ?? null,
    secrets: key.secretsAt(now).map(({ hint, createdAt, validUntil }) => {
      const { prefix, lastFour } = hint;
      return { prefix, lastFour, createdAt, validUntil: validUntil ?? null };
    }),
  };
}

export function keyJson({ key, lastUsedAt, bannedUntil, pepper, days }: KeyReport, now: Date) {
  const day = utcDay(now);
  return {
    ...keySettingsJson(key, now),
    pepper,
    lastUsedAt: lastUsedAt ?? null,
    // One that has ended is none.
    bannedUntil: bannedUntil !== undefined && bannedUntil > now ? bannedUntil : null,
    today: days.find((one) => one.day === day) ?? { day, requests: 0, refused: 0 },
  };
}

/** @param limiter absent where the counters are in the processes of the service, or Redis is unavailable */
export function keyDetailsJson(
  report: KeyReport,
  audit: readonly AuditEntry[],
  limiter: RateLimitStatus | undefined,
  now: Date,
) {
  return {
    ...keyJson(report, now),
    ...limiter,
    days: report.days,
    audit: audit.map(({ at, action, by, details }) => ({ at, action, by, details })),
  };
}
