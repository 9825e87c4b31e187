import { PETSTORE_PLANS } from '@petstore/api';
import { type ApiKey, type KeyReport, utcDay } from '@petstore/api-key';

/** A key as scripts read it. @param secret of a key that was issued, which is printed this once */
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

/** The same with how it is used. */
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
