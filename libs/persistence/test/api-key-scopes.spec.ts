import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyAdministration, KeyRuleError, SecretHasher } from '@petstore/api-key';
import type { TestPostgres } from '@petstore/test-servers';
import type { DataSource } from 'typeorm';
import { PostgresApiKeyLookup } from '../src/api-key/postgres-api-key-lookup.js';
import { PostgresApiKeyRepository } from '../src/api-key/postgres-api-key.repository.js';
import { createDataSource } from '../src/schema/data-source.js';
import { SCOPES } from '../src/testing/scopes.js';
import { startMigratedServer } from './migrated-server.js';

const hasher = new SecretHasher('pepper');

let server: TestPostgres;
let dataSource: DataSource;
let administration: ApiKeyAdministration;
let lookup: PostgresApiKeyLookup;

beforeAll(async () => {
  server = await startMigratedServer();
  dataSource = await createDataSource({ url: server.url }).initialize();
  const repository = new PostgresApiKeyRepository(dataSource.manager);
  administration = new ApiKeyAdministration({ repository, hasher, scopes: SCOPES, kind: 'test' });
  lookup = new PostgresApiKeyLookup(dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await server.stop();
});

/** Of all keys. */
const setScopes = (...scopes: (string | null)[]): Promise<unknown> =>
  dataSource.query('update api_keys set scopes = $1', [scopes]);

describe('a scope that this version does not define', () => {
  it('is ignored: the key is accepted with what else it may do', async () => {
    const { secret } = await administration.create({ name: 'shop', plan: 'free' }, 'anna');
    await setScopes('orders:manage', 'pets:read');
    const found = await lookup.find(hasher.candidates(secret));
    expect(found?.caller.scopes).toEqual(new Set(['orders:manage', 'pets:read']));
    await setScopes('orders:manage');
    expect((await lookup.find(hasher.candidates(secret)))?.caller.scopes.has('pets:read' as never)).toBe(
      false,
    );
  });

  it('is shown, and stays when the key is changed', async () => {
    const { key } = await administration.create({ name: 'shop', plan: 'free' }, 'anna');
    await setScopes('orders:manage', 'pets:read');
    const { key: renamed } = await administration.update(key.id, { name: 'store' }, 'anna');
    expect(renamed.settings.scopes).toEqual(['orders:manage', 'pets:read']);
    const scopes = ['pets:write', 'orders:manage'];
    expect((await administration.update(key.id, { scopes }, 'anna')).key.settings.scopes).toEqual([
      'orders:manage',
      'pets:write',
    ]);
    const listed = (await administration.list()).find((each) => each.key.id === key.id);
    expect(listed?.key.settings.scopes).toEqual(['orders:manage', 'pets:write']);
  });

  it('cannot be given', async () => {
    const wanted = { name: 'shop', plan: 'free', scopes: ['orders:manage'] } as const;
    await expect(administration.create(wanted, 'anna')).rejects.toThrow(
      new KeyRuleError('There is no scope "orders:manage". There are: pets:read, pets:write.'),
    );
  });
});

describe('the table', () => {
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
  ])('refuses the scopes %j', async (scopes: (string | null)[]) => {
    await administration.create({ name: 'shop', plan: 'free' }, 'anna');
    await expect(setScopes(...scopes)).rejects.toThrow('api_keys_scopes_form');
  });
});
