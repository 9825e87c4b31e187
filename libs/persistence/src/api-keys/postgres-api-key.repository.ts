import { Injectable } from '@nestjs/common';
import {
  type ApiKey,
  type ApiKeyRepository,
  type AuditEntry,
  type KeyChange,
  type KeyId,
  type KeyOverview,
  type KeySecret,
  UnknownKeyError,
} from '@petstore/api-key';
import { type EntityManager, MoreThanOrEqual } from 'typeorm';
import { Database } from '../database/database.js';
import { ApiKeyActivityRow } from './api-key-activity.row.js';
import { ApiKeyAuditRow, toAuditRow, toEntry } from './api-key-audit.row.js';
import { ApiKeySecretRow, toSecret, toSecretRow } from './api-key-secret.row.js';
import { ApiKeyUsageRow, toKeyDay } from './api-key-usage.row.js';
import { ApiKeyRow, toApiKey, toRow } from './api-key.row.js';
import { orUnavailable } from './or-unavailable.js';

/** Oldest first; of two made in the same moment the one that is going comes before the one in force. */
const SECRET_ORDER = { createdAt: 'ASC', validUntil: { direction: 'ASC', nulls: 'LAST' } } as const;

/** Keys in PostgreSQL. */
@Injectable()
export class PostgresApiKeyRepository implements ApiKeyRepository {
  constructor(private readonly database: Database) {}

  async add({ key, entry }: KeyChange): Promise<void> {
    await this.transaction(async (manager) => {
      await manager.insert(ApiKeyRow, toRow(key));
      await manager.insert(ApiKeySecretRow, secretRows(key, key.secrets));
      await manager.insert(ApiKeyAuditRow, toAuditRow(entry));
    });
  }

  change(id: KeyId, decide: (key: ApiKey) => KeyChange | undefined): Promise<ApiKey> {
    return this.transaction(async (manager) => {
      const current = await lockKey(manager, id);
      const change = decide(current);
      if (change === undefined) return current;
      await manager.update(ApiKeyRow, { id }, toRow(change.key));
      await saveSecrets(manager, current, change.key);
      await manager.insert(ApiKeyAuditRow, toAuditRow(change.entry));
      if (change.entry.action === 'unbanned')
        await manager.update(ApiKeyActivityRow, { keyId: id }, { bannedUntil: null });
      return change.key;
    });
  }

  async isEmpty(): Promise<boolean> {
    return !(await orUnavailable(this.database, (manager) => manager.exists(ApiKeyRow)));
  }

  async list(sinceDay: string): Promise<readonly KeyOverview[]> {
    return this.overviews(sinceDay, {});
  }

  async find(id: KeyId, sinceDay: string): Promise<KeyOverview | undefined> {
    const [found] = await this.overviews(sinceDay, { id });
    return found;
  }

  async auditOf(keyId: KeyId): Promise<readonly AuditEntry[]> {
    const rows = await orUnavailable(this.database, (manager) =>
      manager.find(ApiKeyAuditRow, { where: { keyId }, order: { id: 'ASC' } }),
    );
    return rows.map(toEntry);
  }

  /** Keys with all that belongs to them: one query a table, however many keys there are. */
  private async overviews(sinceDay: string, which: { readonly id?: KeyId }): Promise<KeyOverview[]> {
    const ofKey = which.id === undefined ? {} : { keyId: which.id };
    const [keys, secrets, activities, days] = await orUnavailable(this.database, (manager) =>
      Promise.all([
        manager.find(ApiKeyRow, { where: which, order: { createdAt: 'ASC', id: 'ASC' } }),
        manager.find(ApiKeySecretRow, { where: ofKey, order: SECRET_ORDER }),
        manager.find(ApiKeyActivityRow, { where: ofKey }),
        manager.find(ApiKeyUsageRow, {
          where: { ...ofKey, day: MoreThanOrEqual(sinceDay) },
          order: { day: 'DESC' },
        }),
      ]),
    );
    const secretsOf = groupByKey(secrets);
    const daysOf = groupByKey(days);
    const activityOf = new Map(activities.map((activity) => [activity.keyId, activity]));
    return keys.map((row) => ({
      key: toApiKey(row, (secretsOf.get(row.id) ?? []).map(toSecret)),
      lastUsedAt: activityOf.get(row.id)?.lastUsedAt ?? undefined,
      bannedUntil: activityOf.get(row.id)?.bannedUntil ?? undefined,
      days: (daysOf.get(row.id) ?? []).map(toKeyDay),
    }));
  }

  private transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return orUnavailable(this.database, (manager) => manager.transaction(work));
  }
}

function groupByKey<Row extends { readonly keyId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.keyId) ?? [];
    group.push(row);
    groups.set(row.keyId, group);
  }
  return groups;
}

/** The key as it is, for this transaction alone. */
async function lockKey(manager: EntityManager, id: KeyId): Promise<ApiKey> {
  const lock = { mode: 'pessimistic_write' } as const;
  const row = await manager.findOne(ApiKeyRow, { where: { id }, lock });
  if (row === null) throw new UnknownKeyError(id);
  const secrets = await manager.find(ApiKeySecretRow, { where: { keyId: id }, order: SECRET_ORDER, lock });
  return toApiKey(row, secrets.map(toSecret));
}

/** The old secrets first: only then is there room for a new one in force. */
async function saveSecrets(manager: EntityManager, before: ApiKey, after: ApiKey): Promise<void> {
  const known = new Map(before.secrets.map((secret) => [secret.hash, secret]));
  for (const { hash, validUntil } of after.secrets) {
    const old = known.get(hash);
    if (old === undefined || old.validUntil === validUntil) continue;
    await manager.update(ApiKeySecretRow, { hash }, { validUntil: validUntil ?? null });
  }
  const added = after.secrets.filter(({ hash }) => !known.has(hash));
  if (added.length > 0) await manager.insert(ApiKeySecretRow, secretRows(after, added));
}

function secretRows({ id }: ApiKey, secrets: readonly KeySecret[]): ApiKeySecretRow[] {
  return secrets.map((secret) => toSecretRow(id, secret));
}
