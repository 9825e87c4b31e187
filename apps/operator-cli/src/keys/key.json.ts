import {
  type ApiKey,
  type AuditEntry,
  type ChangedKey,
  utcDay,
  type IssuedKey,
  type KeyDay,
  type KeyOverview,
  type KeyReport,
  type KeySecret,
} from '@petstore/api-key';
import { limitsOf } from './plans.js';
import type { RateLimitStatus } from './rate-limit-status.js';

/** Everything that show prints. */
export interface KeyDetails {
  readonly overview: KeyReport;
  readonly audit: readonly AuditEntry[];
  readonly rateLimit: RateLimitStatus | undefined;
}

/** The key's use today; no entry means that there was none. */
export function today({ days }: KeyOverview, now: Date): KeyDay {
  const day = utcDay(now);
  return days.find((one) => one.day === day) ?? { day, requests: 0, refused: 0 };
}

/** Requests that count towards the plan: refused ones do not. */
export function admitted({ requests, refused }: KeyDay): number {
  return requests - refused;
}

/** A ban in force; `undefined` for one that has ended. */
export function banInForce(bannedUntil: Date | undefined, now: Date): Date | undefined {
  return bannedUntil !== undefined && bannedUntil > now ? bannedUntil : undefined;
}

export function keyJson(overview: KeyReport, now: Date): object {
  const { key, lastUsedAt, bannedUntil, pepper } = overview;
  return {
    ...settingsJson(key, now),
    pepper,
    lastUsedAt: lastUsedAt ?? null,
    bannedUntil: banInForce(bannedUntil, now) ?? null,
    today: today(overview, now),
  };
}

export function keyDetailsJson({ overview, audit, rateLimit }: KeyDetails, now: Date): object {
  return {
    ...keyJson(overview, now),
    ...(rateLimit && {
      bannedUntil: rateLimit.bannedUntil ?? null,
      now: { lastMinute: rateLimit.minuteUsed, lastDay: rateLimit.dayUsed },
    }),
    days: overview.days,
    audit: audit.map(({ at, action, by, details }) => ({ at, action, by, details })),
  };
}

/** With the secret of an issued key: only ever for standard output, once. */
export function changedJson(changed: ChangedKey | IssuedKey): object {
  return settingsJson(changed.key, new Date(), 'secret' in changed && { key: changed.secret });
}

/** @param secret stands behind the id, if there is one */
function settingsJson(key: ApiKey, now: Date, secret: object | false = false): object {
  const { name, plan, scopes, expiresAt, origins } = key.settings;
  return {
    id: key.id,
    ...secret,
    name,
    plan: plan.name,
    limits: limitsOf(plan) ?? null,
    kind: key.kind,
    scopes,
    origins: origins?.entries ?? [],
    state: key.stateAt(now),
    createdAt: key.createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: key.revokedAt ?? null,
    secrets: key.secretsAt(now).map(secretJson),
  };
}

function secretJson({ hint, createdAt, validUntil }: KeySecret): object {
  return { prefix: hint.prefix, lastFour: hint.lastFour, createdAt, validUntil: validUntil ?? null };
}
