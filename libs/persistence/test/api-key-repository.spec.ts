import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiKeyAdministration,
  type IssuedKey,
  KeyId,
  KeyRuleError,
  KeyStoreUnavailableError,
  ApiKeyFormat,
  SecretHasher,
  UnknownKeyError,
} from '@petstore/api-key';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import type { DataSource } from 'typeorm';
import { KEY_USAGE_RETENTION } from '../src/api-key/key-usage.retention.js';
import { PostgresApiKeyLookup } from '../src/api-key/postgres-api-key-lookup.js';
import { PostgresKeyUsageStore } from '../src/api-key/postgres-key-usage.store.js';
import { PostgresApiKeyRepository } from '../src/api-key/postgres-api-key.repository.js';
import { removeOldRows } from '../src/retention/retention-rule.js';
import { createDataSource } from '../src/schema/data-source.js';
import { migrate } from '../src/schema/migrate.js';
import { SCOPES } from '../src/testing/scopes.js';

const HOUR = 60 * 60 * 1000;
const hasher = new SecretHasher('pepper of the tests');

let server: TestPostgres;
let dataSource: DataSource;
let repository: PostgresApiKeyRepository;
let lookup: PostgresApiKeyLookup;
let usage: PostgresKeyUsageStore;
let administration: ApiKeyAdministration;
let now: Date;

beforeAll(async () => {
  server = await startTestPostgres();
  dataSource = await createDataSource({ url: server.url }).initialize();
  await migrate(dataSource);
  repository = new PostgresApiKeyRepository(dataSource.manager);
  lookup = new PostgresApiKeyLookup(dataSource.manager);
  usage = new PostgresKeyUsageStore(dataSource.manager);
  administration = new ApiKeyAdministration({
    repository,
    hasher,
    scopes: SCOPES,
    kind: 'test',
    now: () => now,
  });
});
afterAll(async () => {
  await dataSource.destroy();
  await server.stop();
});
beforeEach(() => {
  now = new Date();
});

const find = (secret: string): ReturnType<PostgresApiKeyLookup['find']> =>
  lookup.find(hasher.candidates(secret));

const create = (name = 'shop'): Promise<IssuedKey> => administration.create({ name, plan: 'free' }, 'anna');

describe('a new key', () => {
  it('is found by its secret with all that the guard needs', async () => {
    const { key, secret } = await administration.create(
      {
        name: 'big',
        plan: 'enterprise',
        limits: { perMinute: 7, perDay: 999_999_999 },
        scopes: ['pets:read'],
      },
      'anna',
    );
    expect(await find(secret)).toEqual({
      hash: hasher.hash(secret),
      usableUntil: undefined,
      caller: {
        keyId: key.id,
        name: 'big',
        plan: 'enterprise',
        limits: { perMinute: 7, perDay: 999_999_999 },
        scopes: new Set(['pets:read']),
      },
    });
  });

  it('is kept without its secret', async () => {
    const { secret } = await create();
    const tables = ['api_keys', 'api_key_secrets', 'api_key_audit'];
    const rows = await Promise.all(tables.map((table) => dataSource.query(`select * from ${table}`)));
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).toContain(secret.slice(-4));
  });

  it('is read back as it was made', async () => {
    const expiresAt = new Date(now.getTime() + HOUR);
    const { key } = await administration.create({ name: 'Zoë 🐈', plan: 'pro', expiresAt }, 'anna');
    const { overview, audit } = await administration.show(key.id);
    expect(overview).toEqual({ key, lastUsedAt: undefined, bannedUntil: undefined, days: [] });
    expect(audit).toEqual([
      {
        keyId: key.id,
        at: now,
        action: 'created',
        by: 'anna',
        details: {
          name: 'Zoë 🐈',
          plan: 'pro',
          scopes: 'pets:read,pets:write',
          expires: expiresAt.toISOString(),
        },
      },
    ]);
  });

  it('is refused when the operator brings one that is in use, under an earlier pepper too', async () => {
    const own = 'own-key.of~the/operator==';
    const { key } = await administration.create({ name: 'own', plan: 'free', secret: own }, 'anna');
    const again = { name: 'again', plan: 'free', secret: own } as const;
    await expect(administration.create(again, 'anna')).rejects.toThrow(
      new KeyRuleError(`This key is already in use: it belongs to ${key.id}.`),
    );
    const newPepper = new ApiKeyAdministration({
      repository,
      hasher: new SecretHasher('another pepper', ['pepper of the tests']),
      scopes: SCOPES,
      kind: 'test',
    });
    await expect(newPepper.create(again, 'anna')).rejects.toThrow(KeyRuleError);
  });
});

describe('the look-up', () => {
  it('uses the index however many keys there are', async () => {
    await dataSource.query(`
      insert into api_keys (id, name, plan, scopes, created_at)
      select 'key_' || lpad(n::text, 16, '0'), 'many', 'free', array['pets:read'], now() from generate_series(1, 20000) n`);
    await dataSource.query(`
      insert into api_key_secrets (hash, key_id, prefix, last_four, created_at)
      select 'hash' || n, 'key_' || lpad(n::text, 16, '0'), '', '', now() from generate_series(1, 20000) n`);
    await dataSource.query('analyze api_keys, api_key_secrets');
    const plan = await dataSource.query<{ 'QUERY PLAN': string }[]>(
      `explain select s.hash from api_key_secrets s join api_keys k on k.id = s.key_id
       where s.hash = any ($1) and k.revoked_at is null limit 1`,
      [['hash1', 'hash2']],
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).not.toContain('Seq Scan');
    expect(text).toContain('api_key_secrets_pkey');
    await dataSource.query(`delete from api_key_secrets where hash like 'hash%'`);
    await dataSource.query(`delete from api_keys where name = 'many'`);
  });

  it('finds no revoked, expired or unknown key', async () => {
    const revoked = await create();
    await administration.revoke(revoked.key.id, 'anna');
    now = new Date(Date.now() - 2 * HOUR);
    const expired = await administration.create(
      { name: 'expired', plan: 'free', expiresAt: new Date(Date.now() - HOUR) },
      'anna',
    );
    for (const secret of [revoked.secret, expired.secret, ApiKeyFormat.generate('test')]) {
      expect(await find(secret)).toBeUndefined();
    }
  });

  it('finds a key under an earlier pepper and hashes it anew', async () => {
    const { key, secret } = await create();
    const next = new SecretHasher('the next pepper', ['pepper of the tests']);
    const found = await lookup.find(next.candidates(secret));
    expect(found).toMatchObject({ hash: hasher.hash(secret), caller: { keyId: key.id } });
    await lookup.rehash(hasher.hash(secret), next.hash(secret));
    expect(await find(secret)).toBeUndefined();
    expect(await lookup.find([next.hash(secret)])).toMatchObject({ caller: { keyId: key.id } });
    // A second process that had the same thought finds nothing to do.
    await lookup.rehash(hasher.hash(secret), next.hash(secret));
  });

  it('rejects when the database is away', async () => {
    const other = await startTestPostgres();
    const connected = await createDataSource({ url: other.url }).initialize();
    await migrate(connected);
    await other.stop();
    await expect(new PostgresApiKeyLookup(connected.manager).find([hasher.hash('x')])).rejects.toThrow(
      KeyStoreUnavailableError,
    );
    await connected.destroy();
  });
});

describe('rotation', () => {
  it('lets the old secret live for the overlap, under the same id', async () => {
    const { key, secret: old } = await create();
    const { secret: fresh } = await administration.rotate(key.id, HOUR, 'ben');
    expect(await find(fresh)).toMatchObject({ caller: { keyId: key.id }, usableUntil: undefined });
    expect(await find(old)).toMatchObject({
      caller: { keyId: key.id },
      usableUntil: new Date(now.getTime() + HOUR),
    });
    const { overview } = await administration.show(key.id);
    expect(overview.key.secrets.map(({ hint, validUntil }) => [hint.lastFour, validUntil])).toEqual([
      [old.slice(-4), new Date(now.getTime() + HOUR)],
      [fresh.slice(-4), undefined],
    ]);
  });

  it('ends the old secret at once when there is no overlap', async () => {
    const { key, secret: old } = await create();
    const { secret: fresh } = await administration.rotate(key.id, 0, 'ben');
    expect(await find(old)).toBeUndefined();
    expect(await find(fresh)).toBeDefined();
  });

  it('is done one after the other by operators who rotate at the same time', async () => {
    const { key } = await create();
    const issued = await Promise.all(
      Array.from({ length: 8 }, () => administration.rotate(key.id, HOUR, 'ben')),
    );
    const { overview, audit } = await administration.show(key.id);
    expect(overview.key.secrets).toHaveLength(9);
    expect(overview.key.secrets.filter(({ validUntil }) => validUntil === undefined)).toHaveLength(1);
    expect(audit.map(({ action }) => action)).toEqual(['created', ...Array<string>(8).fill('rotated')]);
    for (const { secret } of issued) expect(await find(secret)).toBeDefined();
  });

  it('does not lose a secret that is hashed anew at the same time', async () => {
    const next = new SecretHasher('the next pepper', ['pepper of the tests']);
    for (let round = 0; round < 20; round++) {
      const { key, secret } = await create();
      const [{ secret: fresh }] = await Promise.all([
        administration.rotate(key.id, HOUR, 'ben'),
        lookup.rehash(hasher.hash(secret), next.hash(secret)),
      ]);
      expect(await lookup.find(next.candidates(secret))).toMatchObject({
        usableUntil: new Date(now.getTime() + HOUR),
      });
      expect(await find(fresh)).toBeDefined();
    }
  });
});

describe('a change', () => {
  it('leaves everything as it was when it is against the rules', async () => {
    const { key } = await create();
    const update = administration.update(key.id, { plan: 'enterprise' }, 'ben');
    await expect(update).rejects.toThrow(KeyRuleError);
    const { overview, audit } = await administration.show(key.id);
    expect(overview.key).toEqual(key);
    expect(audit).toHaveLength(1);
  });

  it('of nothing leaves no entry in the audit', async () => {
    const { key } = await create();
    await administration.update(key.id, { plan: 'free', name: 'shop' }, 'ben');
    await administration.revoke(key.id, 'ben');
    await administration.revoke(key.id, 'ben');
    const { audit } = await administration.show(key.id);
    expect(audit.map(({ action }) => action)).toEqual(['created', 'revoked']);
  });

  it('of plan, scopes, name and expiry is told field by field', async () => {
    const { key } = await create();
    await administration.update(
      key.id,
      { name: 'store', plan: 'enterprise', limits: { perMinute: 5, perDay: 50 }, scopes: ['pets:write'] },
      'ben',
    );
    await administration.update(key.id, { limits: { perDay: 60 } }, 'ben');
    const { overview, audit } = await administration.show(key.id);
    expect(overview.key.settings).toEqual({
      name: 'store',
      plan: { name: 'enterprise', limits: { perMinute: 5, perDay: 60 } },
      scopes: ['pets:write'],
      expiresAt: undefined,
    });
    expect(audit.slice(1).map(({ by, details }) => ({ by, details }))).toEqual([
      {
        by: 'ben',
        details: {
          name: 'shop -> store',
          plan: 'free -> enterprise (5/min, 50/day)',
          scopes: 'pets:read,pets:write -> pets:write',
        },
      },
      { by: 'ben', details: { plan: 'enterprise (5/min, 50/day) -> enterprise (5/min, 60/day)' } },
    ]);
  });

  it('of a key that does not exist is refused', async () => {
    const id = KeyId.generate();
    await expect(administration.revoke(id, 'ben')).rejects.toThrow(new UnknownKeyError(id));
    await expect(administration.show(id)).rejects.toThrow(UnknownKeyError);
  });
});

describe('the audit', () => {
  it.each([
    "update api_key_audit set done_by = 'nobody'",
    'delete from api_key_audit',
    'delete from api_key_audit where false',
    'truncate api_key_audit',
    'truncate api_keys cascade',
  ])('refuses: %s', async (statement) => {
    await create();
    await expect(dataSource.query(statement)).rejects.toThrow('append-only');
  });
});

describe('use', () => {
  const day = '2026-11-20';

  it('is added up by key and day', async () => {
    const { key } = await create();
    const base = { keyId: key.id, bannedUntil: undefined };
    const early = new Date('2026-11-20T10:00:00Z');
    const late = new Date('2026-11-20T11:00:00Z');
    await usage.add([
      { ...base, day: '2026-11-19', requests: 5, refused: 1, lastUsedAt: early },
      { ...base, day, requests: 2, refused: 0, lastUsedAt: late },
    ]);
    await usage.add([{ ...base, day, requests: 3, refused: 2, lastUsedAt: early }]);
    expect(await repository.find(key.id, '2026-11-19')).toMatchObject({
      lastUsedAt: late,
      days: [
        { day, requests: 5, refused: 2 },
        { day: '2026-11-19', requests: 5, refused: 1 },
      ],
    });
    expect((await repository.find(key.id, day))?.days).toHaveLength(1);
  });

  it('keeps a ban until it is lifted', async () => {
    const { key } = await create();
    const base = { keyId: key.id, day, requests: 0, refused: 0, lastUsedAt: undefined };
    const until = new Date('2026-11-20T12:00:00Z');
    const bannedUntil = async (): Promise<Date | undefined> =>
      (await repository.find(key.id, day))?.bannedUntil;
    await usage.add([{ ...base, bannedUntil: until }]);
    await usage.add([{ ...base, bannedUntil: undefined }]);
    expect(await bannedUntil()).toEqual(until);
    await usage.add([{ ...base, bannedUntil: null }]);
    expect(await bannedUntil()).toBeUndefined();
  });

  it('of a key that this database does not know is left out', async () => {
    const { key } = await create();
    const base = { day, requests: 1, refused: 0, lastUsedAt: new Date(), bannedUntil: undefined };
    await usage.add([
      { ...base, keyId: KeyId.generate() },
      { ...base, keyId: key.id },
    ]);
    expect((await repository.find(key.id, day))?.days).toEqual([{ day, requests: 1, refused: 0 }]);
  });

  it('is forgotten after 400 days', async () => {
    const { key } = await create();
    const daysAgo = (days: number): string =>
      new Date(Date.now() - days * 24 * HOUR).toISOString().slice(0, 10);
    const base = { keyId: key.id, requests: 1, refused: 0, lastUsedAt: undefined, bannedUntil: undefined };
    await usage.add([399, 402, 900].map((days) => ({ ...base, day: daysAgo(days) })));
    expect(await removeOldRows(dataSource.manager, KEY_USAGE_RETENTION)).toBe(2);
    expect(await removeOldRows(dataSource.manager, KEY_USAGE_RETENTION)).toBe(0);
    const rows: unknown = await dataSource.query('select day::text from api_key_usage where key_id = $1', [
      key.id,
    ]);
    expect(rows).toEqual([{ day: daysAgo(399) }]);
  });

  it('is added by many processes at once without waiting for each other in circles', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => create()));
    const batch = keys
      .map(({ key }) => ({
        keyId: key.id,
        day,
        requests: 1,
        refused: 0,
        lastUsedAt: new Date(),
        bannedUntil: undefined,
      }))
      .sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    await Promise.all(Array.from({ length: 8 }, () => usage.add(batch)));
    for (const { key } of keys) expect((await repository.find(key.id, day))?.days[0]?.requests).toBe(8);
  });
});

it('lists every key, oldest first', async () => {
  const first = await create('first');
  now = new Date(now.getTime() + 1);
  const second = await create('second');
  const names = (await administration.list()).map(({ key }) => key.id);
  expect(names.slice(-2)).toEqual([first.key.id, second.key.id]);
  expect(await administration.isEmpty()).toBe(false);
});
