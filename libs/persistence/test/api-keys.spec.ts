import { describe, expect, it } from '@jest/globals';
import {
  ApiKeyAdministration,
  type ApiKeyRepository,
  KeyId,
  KeyRuleError,
  KeySigner,
  KeyStoreUnavailableError,
  UnknownKeyError,
} from '@petstore/api-key';
import { FIND_KEY } from '../src/api-keys/postgres-api-key-lookup.js';
import { endClient } from '../src/connection/pg-client.js';
import { SCOPES } from '../src/testing/scopes.js';
import { startMigratedServer } from './migrated-server.js';
import { buffersOf, explain, fastLaneSession } from './query-plan.js';
import { HOUR, nextSigner, signer, StoredKeys } from './stored-keys.js';
import { Stores } from './stores.js';

const keys = new StoredKeys();

describe('a new key', () => {
  it('is found by its secret with all that the guard needs', async () => {
    const limits = { perMinute: 7, perDay: 999_999_999 };
    const wanted = { name: 'big "\\ 🐈', plan: 'enterprise', limits, scopes: ['pets:read'] } as const;
    const { key, secret } = await keys.administration.create(wanted, 'anna');
    expect(await keys.find(secret)).toEqual({
      usableUntil: undefined,
      caller: {
        keyId: key.id,
        name: wanted.name,
        plan: 'enterprise',
        limits,
        scopes: new Set(['pets:read']),
      },
    });
  });

  it('is kept without its secret', async () => {
    const { secret } = await keys.create();
    const tables = ['api_keys', 'api_key_secrets', 'api_key_audit'];
    const rows = await Promise.all(tables.map((table) => keys.manager.query(`select * from ${table}`)));
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).toContain(secret.slice(-4));
  });

  it('is read back as it was made, with who made it', async () => {
    const expiresAt = new Date(keys.now.getTime() + HOUR);
    const { key, secret } = await keys.create('Zoë 🐈', expiresAt);
    const { overview, audit: entries } = await keys.administration.show(key.id);
    expect(overview).toEqual({
      key,
      lastUsedAt: undefined,
      bannedUntil: undefined,
      days: [],
      pepper: 'current',
    });
    const details = {
      name: 'Zoë 🐈',
      plan: 'free',
      scopes: 'pets:read,pets:write',
      expires: expiresAt.toISOString(),
    };
    expect(entries).toEqual([{ keyId: key.id, at: keys.now, action: 'created', by: 'anna', details }]);
    expect(await keys.find(secret)).toMatchObject({ usableUntil: expiresAt });
  });
});

describe('the look-up', () => {
  it('finds no revoked, expired or unknown key', async () => {
    const revoked = await keys.create();
    await keys.administration.revoke(revoked.key.id, 'anna');
    keys.now = new Date(Date.now() - 2 * HOUR);
    const expired = await keys.create('expired', new Date(Date.now() - HOUR));
    for (const secret of [revoked.secret, expired.secret, signer.issue('test').text])
      expect(await keys.find(secret)).toBeUndefined();
  });

  it('finds a key under an earlier pepper, and the list says that it needs it', async () => {
    const { key, secret } = await keys.create();
    expect(await keys.find(secret, nextSigner)).toMatchObject({ caller: { keyId: key.id } });
    const repository: ApiKeyRepository = keys.stores.apiKeys;
    const pepperFor = async (by: KeySigner): Promise<string | undefined> => {
      const parts = { repository, signer: by, scopes: SCOPES, kind: 'test' } as const;
      const reports = await new ApiKeyAdministration(parts).list();
      return reports.find((report) => report.key.id === key.id)?.pepper;
    };
    expect(await pepperFor(signer)).toBe('current');
    expect(await pepperFor(nextSigner)).toBe('previous');
    expect(await pepperFor(new KeySigner('the next pepper'))).toBe('unknown');
  });
});

describe('a change', () => {
  it('against the rules changes nothing', async () => {
    const { key } = await keys.create();
    await expect(keys.administration.update(key.id, { plan: 'enterprise' }, 'ben')).rejects.toThrow(
      KeyRuleError,
    );
    expect((await keys.administration.show(key.id)).overview.key).toEqual(key);
    expect(await keys.audit(key.id)).toEqual(['created']);
  });

  it('of nothing has no entry in the audit, any other has one', async () => {
    const { key } = await keys.create();
    await keys.administration.update(key.id, { plan: 'free', name: 'shop' }, 'ben');
    const limits = { perMinute: 5, perDay: 50 };
    const changes = { name: 'store', plan: 'enterprise', limits, scopes: ['pets:write'] } as const;
    const { key: changed } = await keys.administration.update(key.id, changes, 'ben');
    expect((await keys.administration.show(key.id)).overview.key).toEqual(changed);
    for (let i = 0; i < 2; i++) await keys.administration.revoke(key.id, 'ben');
    expect(await keys.audit(key.id)).toEqual(['created', 'updated', 'revoked']);
  });

  it('of a key that does not exist is refused', async () => {
    const id = KeyId.generate();
    await expect(keys.administration.revoke(id, 'ben')).rejects.toThrow(new UnknownKeyError(id));
    await expect(keys.administration.show(id)).rejects.toThrow(UnknownKeyError);
  });

  it('leaves scopes that this version does not define as they are', async () => {
    const { key, secret } = await keys.create();
    await keys.manager.query(`update api_keys set scopes = '{orders:manage,pets:read}' where id = $1`, [
      key.id,
    ]);
    expect((await keys.find(secret))?.caller.scopes).toEqual(new Set(['orders:manage', 'pets:read']));
    const { key: renamed } = await keys.administration.update(key.id, { name: 'store' }, 'anna');
    expect(renamed.settings.scopes).toEqual(['orders:manage', 'pets:read']);
    expect((await keys.administration.show(key.id)).overview.key).toEqual(renamed);
  });
});

it('lists every key, oldest first', async () => {
  const first = await keys.create('first');
  keys.now = new Date(keys.now.getTime() + 1);
  const second = await keys.create('second');
  const ids = (await keys.administration.list()).map(({ key }) => key.id);
  expect(ids.slice(-2)).toEqual([first.key.id, second.key.id]);
  expect(await keys.administration.isEmpty()).toBe(false);
});

describe('the database', () => {
  it.each([
    "update api_key_audit set done_by = 'ben'",
    'delete from api_key_audit',
    'delete from api_key_audit where false',
    'truncate api_key_audit',
    'truncate api_keys cascade',
  ])('keeps the audit: refuses %s', async (statement) => {
    await expect(keys.manager.query(statement)).rejects.toThrow('append-only');
  });

  it.each([
    [[]],
    [['']],
    [[null]],
    [['pets:read', null]],
    [['pets read']],
    [['pets,read']],
    [['Pets:read']],
    [['pets"read']],
    [Array.from({ length: 65 }, (_, i) => `scope:${i}`)],
  ])('refuses the scopes %j', async (scopes) => {
    const { key } = await keys.create();
    const update = keys.manager.query('update api_keys set scopes = $2 where id = $1', [key.id, scopes]);
    await expect(update).rejects.toThrow('api_keys_scopes_form');
  });
});

it('is looked up by index however many keys there are', async () => {
  const session = await fastLaneSession(keys.server.url);
  await session.query(
    `insert into api_keys (id, name, plan, scopes, created_at)
     select 'key_' || lpad(n::text, 16, '0'), 'many', 'free', '{pets:read}', now() from generate_series(1, 5000) n`,
  );
  await session.query(
    `insert into api_key_secrets (hash, pepper_id, key_id, prefix, last_four, created_at)
     select 'hash' || n, '', 'key_' || lpad(n::text, 16, '0'), '', '', now() from generate_series(1, 5000) n`,
  );
  const plan = await explain(session, [FIND_KEY, ['hash1']]);
  expect(buffersOf(plan)).toBeLessThan(20);
  await endClient(session);
});

it('says so when the database is unavailable, in every store', async () => {
  const server = await startMigratedServer();
  const stores = await Stores.open({ url: server.url });
  await server.stop();
  for (let round = 0; round < 2; round++) {
    const requests = [
      () => stores.keyLookup.find(signer.issue('test').hash),
      () => stores.apiKeys.isEmpty(),
      () => stores.apiKeys.change(KeyId.generate(), () => undefined),
      () => stores.keyUsage.add([]),
      () => stores.keyHistory.of(KeyId.generate()),
    ];
    for (const request of requests) await expect(request()).rejects.toThrow(KeyStoreUnavailableError);
  }
  await stores.close();
});
