import { Injectable } from '@nestjs/common';
import type { KeyDay, KeyId, KeyUsage, KeyUsageStore } from '@petstore/api-key';
import { Database } from '../database/database.js';
import { orUnavailable } from './or-unavailable.js';

/** Days that the owner of a key sees, today included. */
export const HISTORY_DAYS = 30;

/** Recent use of a key, for its owner. */
export interface KeyHistory {
  /** When the key expires; `undefined` for never. */
  readonly expiresAt: Date | undefined;
  /** Those of the last {@link HISTORY_DAYS} days (UTC) on which the key was used, newest first. */
  readonly days: readonly KeyDay[];
}

/** Only of keys that exist: a process may outlive the database that it got its keys from. */
const COUNT = `
  insert into api_key_usage (key_id, day, requests, refused)
  select b.key_id, b.day, b.requests, b.refused
  from unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[]) as b (key_id, day, requests, refused)
  join api_keys k on k.id = b.key_id
  where b.requests > 0 or b.refused > 0
  order by b.key_id, b.day
  on conflict (key_id, day) do update
  set requests = api_key_usage.requests + excluded.requests,
      refused = api_key_usage.refused + excluded.refused`;

/** A ban stays if the batch reports none. */
const NOTE = `
  insert into api_key_activity (key_id, last_used_at, banned_until)
  select b.key_id, b.last_used_at, b.banned_until
  from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as b (key_id, last_used_at, banned_until)
  join api_keys k on k.id = b.key_id
  order by b.key_id
  on conflict (key_id) do update
  set last_used_at = greatest(api_key_activity.last_used_at, excluded.last_used_at),
      banned_until = coalesce(excluded.banned_until, api_key_activity.banned_until)`;

/**
 * A row of each day on which the key was used, newest first; one without a day when there is none. One statement, as any
 * client may ask for it. No key makes 2^53 requests in a day.
 */
const HISTORY = `
  select k.expires_at as "expiresAt", u.day::text, u.requests::float8, u.refused::float8
  from api_keys k
  left join lateral (
    select day, requests, refused from api_key_usage
    where key_id = k.id and day > (now() at time zone 'UTC')::date - $2::int order by day desc
  ) u on true
  where k.id = $1
  order by u.day desc`;

interface HistoryRow extends Omit<KeyDay, 'day'> {
  readonly day: string | null;
  readonly expiresAt: Date | null;
}

/** How often keys are used, and when they were last, in the tables `api_key_usage` and `api_key_activity`. */
@Injectable()
export class KeyUsageCounters implements KeyUsageStore {
  constructor(private readonly database: Database) {}

  async add(batch: readonly KeyUsage[]): Promise<void> {
    const keys = [...latestOfKeys(batch).values()];
    await orUnavailable(this.database, (pool) =>
      pool.transaction(async (manager) => {
        await manager.query(COUNT, [
          batch.map(({ keyId }) => keyId),
          batch.map(({ day }) => day),
          batch.map(({ requests }) => requests),
          batch.map(({ refused }) => refused),
        ]);
        await manager.query(NOTE, [
          keys.map(({ keyId }) => keyId),
          keys.map(({ lastUsedAt }) => lastUsedAt ?? null),
          keys.map(({ bannedUntil }) => bannedUntil ?? null),
        ]);
      }),
    );
  }

  /**
   * Recent use of a key, as far behind as the recorder's batches are apart.
   *
   * @throws {KeyStoreUnavailableError} when the database is unavailable or does not respond in time
   */
  async historyOf(keyId: KeyId): Promise<KeyHistory> {
    const rows = await orUnavailable(this.database, (manager) =>
      manager.query<HistoryRow[]>(HISTORY, [keyId, HISTORY_DAYS]),
    );
    return {
      expiresAt: rows[0]?.expiresAt ?? undefined,
      days: rows.flatMap(({ day, requests, refused }) => (day === null ? [] : [{ day, requests, refused }])),
    };
  }
}

/** A batch may hold two days of a key, in their order: what was reported last counts. */
function latestOfKeys(batch: readonly KeyUsage[]): Map<string, KeyUsage> {
  const latest = new Map<string, KeyUsage>();
  for (const usage of batch) {
    const earlier = latest.get(usage.keyId);
    latest.set(usage.keyId, {
      ...usage,
      lastUsedAt: usage.lastUsedAt ?? earlier?.lastUsedAt,
      bannedUntil: usage.bannedUntil ?? earlier?.bannedUntil,
    });
  }
  return latest;
}
