import { Injectable } from '@nestjs/common';
import type { KeyUsage, KeyUsageStore } from '@petstore/api-key';
import { Database } from '../database/database.js';
import { orUnavailable } from './or-unavailable.js';

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

/** A ban that nothing was reported of stays as it is. */
const NOTE = `
  insert into api_key_activity (key_id, last_used_at, banned_until)
  select b.key_id, b.last_used_at, b.banned_until
  from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as b (key_id, last_used_at, banned_until)
  join api_keys k on k.id = b.key_id
  order by b.key_id
  on conflict (key_id) do update
  set last_used_at = greatest(api_key_activity.last_used_at, excluded.last_used_at),
      banned_until = coalesce(excluded.banned_until, api_key_activity.banned_until)`;

/** Adds batches of use to the tables `api_key_usage` and `api_key_activity`. */
@Injectable()
export class PostgresKeyUsageStore implements KeyUsageStore {
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
