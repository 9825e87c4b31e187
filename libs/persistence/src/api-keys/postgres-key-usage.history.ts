import { Injectable } from '@nestjs/common';
import type { KeyDay, KeyId } from '@petstore/api-key';
import { Database } from '../database/database.js';
import { type ApiKeyUsageRow, toKeyDay } from './api-key-usage.row.js';
import { orUnavailable } from './or-unavailable.js';

/** Days that the owner of a key sees, today included. */
export const HISTORY_DAYS = 30;

/** How a key was used of late, for its owner. */
export interface KeyHistory {
  /** When the key expires: RFC 3339, UTC, milliseconds. `undefined` for never. */
  readonly expiresAt: string | undefined;
  /** Those of the last {@link HISTORY_DAYS} days (UTC) on which the key was used, newest first. */
  readonly days: readonly KeyDay[];
}

/** A row of each day on which the key was used, newest first; one without a day when there is none. */
export const HISTORY = `
  select k.expires_at as "expiresAt", u.day::text, u.requests, u.refused
  from api_keys k
  left join lateral (
    select day, requests, refused from api_key_usage
    where key_id = k.id and day > (now() at time zone 'UTC')::date - $2::int order by day desc
  ) u on true
  where k.id = $1
  order by u.day desc`;

type HistoryRow = { readonly expiresAt: Date | null } & (
  Omit<ApiKeyUsageRow, 'keyId'> | { readonly day: null }
);

/** The use of keys, from the table `api_key_usage`: as far behind as the recorder's batches are apart. */
@Injectable()
export class PostgresKeyUsageHistory {
  constructor(private readonly database: Database) {}

  /** @throws {KeyStoreUnavailableError} when the database is unavailable or does not respond in time */
  async of(keyId: KeyId): Promise<KeyHistory> {
    const rows = await orUnavailable(this.database, (manager) =>
      manager.query<HistoryRow[]>(HISTORY, [keyId, HISTORY_DAYS]),
    );
    return {
      expiresAt: rows[0]?.expiresAt?.toISOString(),
      days: rows.flatMap((row) => (row.day === null ? [] : [toKeyDay(row)])),
    };
  }
}
