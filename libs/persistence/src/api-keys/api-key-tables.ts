import { Injectable } from '@nestjs/common';
import {
  ApiKey,
  type ApiKeyRepository,
  type AuditEntry,
  type KeyChange,
  type KeyDay,
  type KeyId,
  type KeyMode,
  type KeyOverview,
  type KeySecret,
  UnknownKeyError,
} from '@petstore/api-key';
import { type EntityManager, MoreThanOrEqual } from 'typeorm';
import { Database } from '../database/database.js';
import { AuditEntrySchema, KeyActivitySchema, KeyDaySchema, KeySecretSchema } from './api-key.schema.js';
import { orUnavailable } from './or-unavailable.js';

/** NULL without a key that is not revoked. */
const ARE_UNKNOWN = `
  select bool_and(s.pepper_id <> all ($1::text[])) as "areUnknown"
  from api_keys k join api_key_secrets s on s.key_id = k.id where k.revoked_at is null`;

/** Of keys that are neither revoked nor expired, secrets that are still accepted. */
const IS_IN_USE = `
  select exists (
    select from api_keys k join api_key_secrets s on s.key_id = k.id
    where k.revoked_at is null and k.expires_at > now() is not false
      and s.valid_until > now() is not false and s.prefix like $1) as "isInUse"`;

/** API keys, their secrets and their audit, in the tables `api_keys`, `api_key_secrets` and `api_key_audit`. */
@Injectable()
export class ApiKeyTables implements ApiKeyRepository {
  constructor(private readonly database: Database) {}

  async add({ key, entry }: KeyChange): Promise<void> {
    await this.transaction(async (manager) => {
      await manager.insert(ApiKey, key);
      await insertSecrets(manager, key, key.secrets);
      await manager.insert(AuditEntrySchema, entry);
    });
  }

  change(id: KeyId, decide: (key: ApiKey) => KeyChange | undefined): Promise<ApiKey> {
    return this.transaction(async (manager) => {
      const current = await lockKey(manager, id);
      const change = decide(current);
      if (change === undefined) return current;
      const { settings, revokedAt } = change.key;
      await manager.update(ApiKey, { id }, { settings, revokedAt });
      await saveSecrets(manager, current, change.key);
      await manager.insert(AuditEntrySchema, change.entry);
      if (change.entry.action === 'unbanned')
        await manager.update(KeyActivitySchema, { keyId: id }, { bannedUntil: () => 'null' });
      return change.key;
    });
  }

  async isEmpty(): Promise<boolean> {
    return !(await orUnavailable(this.database, (manager) => manager.exists(ApiKey)));
  }

  async hasOnlyUnknownPeppers(pepperIds: readonly string[]): Promise<boolean> {
    const [found] = await orUnavailable(this.database, (manager) =>
      manager.query<{ areUnknown: boolean | null }[]>(ARE_UNKNOWN, [pepperIds]),
    );
    return found?.areUnknown ?? false;
  }

  async hasKeyOfMode(mode: KeyMode): Promise<boolean> {
    const [found] = await orUnavailable(this.database, (manager) =>
      manager.query<{ isInUse: boolean }[]>(IS_IN_USE, [`%\\_${mode}\\_`]),
    );
    return found?.isInUse ?? false;
  }

  async list(sinceDay: string): Promise<readonly KeyOverview[]> {
    return this.overviews(sinceDay);
  }

  async find(id: KeyId, sinceDay: string): Promise<KeyOverview | undefined> {
    const [found] = await this.overviews(sinceDay, id);
    return found;
  }

  auditOf(keyId: KeyId): Promise<readonly AuditEntry[]> {
    return orUnavailable(this.database, (manager) =>
      manager.find(AuditEntrySchema, { where: { keyId }, order: { id: 'ASC' } }),
    );
  }

  /** Keys with their secrets, activity and daily use, in three queries. */
  private async overviews(sinceDay: string, id?: KeyId): Promise<KeyOverview[]> {
    const ofKey = id === undefined ? {} : { keyId: id };
    const [keys, activities, days] = await orUnavailable(this.database, (manager) =>
      Promise.all([
        readKeys(manager, id),
        manager.findBy(KeyActivitySchema, ofKey),
        manager.find(KeyDaySchema, {
          where: { ...ofKey, day: MoreThanOrEqual(sinceDay) },
          order: { day: 'DESC' },
        }),
      ]),
    );
    const activityOf = new Map(activities.map((activity) => [activity.keyId, activity]));
    const daysOf = new Map<KeyId, KeyDay[]>(keys.map((key) => [key.id, []]));
    for (const { keyId, ...day } of days) daysOf.get(keyId)?.push(day);
    return keys.map((key) => ({
      key,
      lastUsedAt: activityOf.get(key.id)?.lastUsedAt,
      bannedUntil: activityOf.get(key.id)?.bannedUntil,
      days: daysOf.get(key.id) ?? [],
    }));
  }

  private transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return orUnavailable(this.database, (manager) => manager.transaction(work));
  }
}

/**
 * All keys, or one, oldest first, with their secrets, oldest first. Of two secrets of the same moment the current one
 * comes last: its `validUntil` is NULL.
 */
function readKeys(manager: EntityManager, id?: KeyId): Promise<ApiKey[]> {
  return manager
    .createQueryBuilder(ApiKey, 'key')
    .leftJoinAndSelect('key.secrets', 'secret')
    .where(id === undefined ? {} : { id })
    .orderBy({
      'key.createdAt': 'ASC',
      'key.id': 'ASC',
      'secret.createdAt': 'ASC',
      'secret.validUntil': 'ASC',
    })
    .getMany();
}

/** Locks and reads the key. Its secrets change only under this lock. */
async function lockKey(manager: EntityManager, id: KeyId): Promise<ApiKey> {
  await manager.findOne(ApiKey, { where: { id }, lock: { mode: 'pessimistic_write' } });
  const [key] = await readKeys(manager, id);
  if (key === undefined) throw new UnknownKeyError(id);
  return key;
}

/** The old secrets first: a key can have only one current secret. */
async function saveSecrets(manager: EntityManager, before: ApiKey, after: ApiKey): Promise<void> {
  const known = new Map(before.secrets.map((secret) => [secret.hash, secret]));
  for (const { hash, validUntil } of after.secrets) {
    const old = known.get(hash);
    if (old !== undefined && old.validUntil !== validUntil)
      await manager.update(KeySecretSchema, { hash }, { validUntil });
  }
  await insertSecrets(
    manager,
    after,
    after.secrets.filter(({ hash }) => !known.has(hash)),
  );
}

async function insertSecrets(
  manager: EntityManager,
  key: ApiKey,
  secrets: readonly KeySecret[],
): Promise<void> {
  if (secrets.length === 0) return;
  await manager.insert(
    KeySecretSchema,
    secrets.map((secret) => ({ ...secret, key })),
  );
}
