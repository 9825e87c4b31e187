import { describe, expect, it } from '@jest/globals';
import { ApiKeyFormat, KeyStoreUnavailableError, SecretHasher } from '@petstore/api-key';
import { startTestPostgres } from '@petstore/test-servers';
import { PostgresApiKeyLookup } from '../src/api-key/postgres-api-key-lookup.js';
import { createDataSource } from '../src/schema/data-source.js';
import { migrate } from '../src/schema/migrate.js';
import { hasher, HOUR, StoredKeys } from './stored-keys.js';

const keys = new StoredKeys();

describe('a new key', () => {
  it('is found by its secret with all that the guard needs', async () => {
    const { key, secret } = await keys.administration.create(
      {
        name: 'big',
        plan: 'enterprise',
        limits: { perMinute: 7, perDay: 999_999_999 },
        scopes: ['pets:read'],
      },
      'anna',
    );
    expect(await keys.find(secret)).toEqual({
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
    const { secret } = await keys.create();
    const tables = ['api_keys', 'api_key_secrets', 'api_key_audit'];
    const rows = await Promise.all(tables.map((table) => keys.dataSource.query(`select * from ${table}`)));
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).toContain(secret.slice(-4));
  });

  it('is read back as it was made', async () => {
    const expiresAt = new Date(keys.now.getTime() + HOUR);
    const { key } = await keys.administration.create({ name: 'Zoë 🐈', plan: 'pro', expiresAt }, 'anna');
    const { overview, audit } = await keys.administration.show(key.id);
    expect(overview).toEqual({ key, lastUsedAt: undefined, bannedUntil: undefined, days: [] });
    expect(audit).toEqual([
      {
        keyId: key.id,
        at: keys.now,
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
});

describe('the look-up', () => {
  it('uses the index however many keys there are', async () => {
    await keys.dataSource.query(`
      insert into api_keys (id, name, plan, scopes, created_at)
      select 'key_' || lpad(n::text, 16, '0'), 'many', 'free', array['pets:read'], now() from generate_series(1, 5000) n`);
    await keys.dataSource.query(`
      insert into api_key_secrets (hash, key_id, prefix, last_four, created_at)
      select 'hash' || n, 'key_' || lpad(n::text, 16, '0'), '', '', now() from generate_series(1, 5000) n`);
    await keys.dataSource.query('analyze api_keys, api_key_secrets');
    const plan = await keys.dataSource.query<{ 'QUERY PLAN': string }[]>(
      `explain select s.hash from api_key_secrets s join api_keys k on k.id = s.key_id
       where s.hash = any ($1) and k.revoked_at is null limit 1`,
      [['hash1', 'hash2']],
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).not.toContain('Seq Scan');
    expect(text).toContain('api_key_secrets_pkey');
    await keys.dataSource.query(`delete from api_key_secrets where hash like 'hash%'`);
    await keys.dataSource.query(`delete from api_keys where name = 'many'`);
  });

  it('finds no revoked, expired or unknown key', async () => {
    const revoked = await keys.create();
    await keys.administration.revoke(revoked.key.id, 'anna');
    keys.now = new Date(Date.now() - 2 * HOUR);
    const expired = await keys.administration.create(
      { name: 'expired', plan: 'free', expiresAt: new Date(Date.now() - HOUR) },
      'anna',
    );
    for (const secret of [revoked.secret, expired.secret, ApiKeyFormat.generate('test')]) {
      expect(await keys.find(secret)).toBeUndefined();
    }
  });

  it('finds a key under an earlier pepper and hashes it anew', async () => {
    const { key, secret } = await keys.create();
    const next = new SecretHasher('the next pepper', ['pepper of the tests']);
    const found = await keys.lookup.find(next.candidates(secret));
    expect(found).toMatchObject({ hash: hasher.hash(secret), caller: { keyId: key.id } });
    await keys.lookup.rehash(hasher.hash(secret), next.hash(secret));
    expect(await keys.find(secret)).toBeUndefined();
    expect(await keys.lookup.find([next.hash(secret)])).toMatchObject({ caller: { keyId: key.id } });
    // A second process that had the same thought finds nothing to do.
    await keys.lookup.rehash(hasher.hash(secret), next.hash(secret));
  });

  it('rejects when the database is unavailable', async () => {
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

it('lists every key, oldest first', async () => {
  const first = await keys.create('first');
  keys.now = new Date(keys.now.getTime() + 1);
  const second = await keys.create('second');
  const names = (await keys.administration.list()).map(({ key }) => key.id);
  expect(names.slice(-2)).toEqual([first.key.id, second.key.id]);
  expect(await keys.administration.isEmpty()).toBe(false);
});
