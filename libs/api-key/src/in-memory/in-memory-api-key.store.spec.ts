import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyAdministration } from '../administration/api-key-administration.js';
import { HASH_PREFIX_LENGTH } from '../filter/api-key-hash-set.js';
import { KeyId } from '../key/key-id.js';
import { KeyRuleError, UnknownKeyError } from '../key/key-rule.error.js';
import { defineScopes } from '../scopes/scope-registry.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { InMemoryApiKeyStore } from './in-memory-api-key.store.js';

const HOUR = 3_600_000;
const scopes = defineScopes({ 'cats:read': { grants: 'lists cats', byDefault: true } });
const hasher = new SecretHasher('pepper');

let now: Date;
let store: InMemoryApiKeyStore;
let administration: ApiKeyAdministration;

function administer(of: InMemoryApiKeyStore, hashing = hasher): ApiKeyAdministration {
  return new ApiKeyAdministration({
    repository: of.repository,
    hasher: hashing,
    scopes,
    kind: 'test',
    now: () => now,
  });
}
const create = (): ReturnType<ApiKeyAdministration['create']> =>
  administration.create({ name: 'shop', plan: 'free' }, 'anna');
const find = (secret: string): ReturnType<InMemoryApiKeyStore['lookup']['find']> =>
  store.lookup.find(hasher.candidates(secret));

beforeEach(() => {
  now = new Date('2026-11-20T12:00:00Z');
  store = new InMemoryApiKeyStore({}, () => now);
  administration = administer(store);
});

describe('the in-memory store', () => {
  it('finds a key by its secret until it is revoked', async () => {
    const { key, secret } = await create();
    expect(await find(secret)).toMatchObject({
      caller: { keyId: key.id, plan: 'free' },
      usableUntil: undefined,
    });
    expect(await find('another')).toBeUndefined();
    await administration.revoke(key.id, 'anna');
    expect(await find(secret)).toBeUndefined();
    expect((await administration.show(key.id)).audit.map(({ action }) => action)).toEqual([
      'created',
      'revoked',
    ]);
  });

  it('finds a key until it expires', async () => {
    const expiresAt = new Date(now.getTime() + HOUR);
    const { secret } = await administration.create({ name: 'shop', plan: 'free', expiresAt }, 'anna');
    expect((await find(secret))?.usableUntil).toEqual(expiresAt);
    now = expiresAt;
    expect(await find(secret)).toBeUndefined();
  });

  it('accepts the old secret for the overlap after a rotation, and forgets it then', async () => {
    const { key, secret: old } = await create();
    const { secret } = await administration.rotate(key.id, HOUR, 'anna');
    expect((await find(old))?.usableUntil).toEqual(new Date(now.getTime() + HOUR));
    expect(await find(secret)).toBeDefined();
    now = new Date(now.getTime() + HOUR);
    expect(await find(old)).toBeUndefined();
    await administration.rotate(key.id, 0, 'anna');
    expect((await administration.show(key.id)).overview.key.secrets).toHaveLength(1);
  });

  it('puts a hash of the current pepper in the place of an earlier one', async () => {
    const earlier = new SecretHasher('earlier');
    const { secret } = await administer(store, earlier).create({ name: 'shop', plan: 'free' }, 'anna');
    const current = new SecretHasher('current', ['earlier']);
    const found = await store.lookup.find(current.candidates(secret));
    expect(found?.hash).toBe(earlier.hash(secret));
    await store.lookup.rehash(earlier.hash(secret), current.hash(secret));
    expect((await store.lookup.find([current.hash(secret)]))?.caller.name).toBe('shop');
    expect(await store.lookup.find([earlier.hash(secret)])).toBeUndefined();
  });

  it('refuses more keys than it holds', async () => {
    store = new InMemoryApiKeyStore({ keys: 1 });
    administration = administer(store);
    await create();
    await expect(create()).rejects.toThrow(new KeyRuleError('This store holds at most 1 keys.'));
    await expect(administration.revoke(KeyId.generate(), 'anna')).rejects.toThrow(UnknownKeyError);
  });

  it('keeps a bounded number of audit entries and days of use', async () => {
    store = new InMemoryApiKeyStore({ auditEntries: 3, days: 2 }, () => now);
    administration = administer(store);
    const { key } = await create();
    for (const name of ['a', 'b', 'c']) await administration.update(key.id, { name }, 'anna');
    for (const day of ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-20']) {
      const usage = { keyId: key.id, day, requests: 2, refused: 1, lastUsedAt: now, bannedUntil: undefined };
      await store.usage.add([usage]);
    }
    const { overview, audit } = await administration.show(key.id);
    expect(audit.map(({ action }) => action)).toEqual(['updated', 'updated', 'updated']);
    expect(overview.lastUsedAt).toEqual(now);
    expect(overview.days).toEqual([
      { day: '2026-11-20', requests: 4, refused: 2 },
      { day: '2026-11-19', requests: 2, refused: 1 },
    ]);
  });

  it('reads every hash by pages, and what was added since a mark', async () => {
    const secrets = [await create(), await create(), await create()].map(({ secret }) => secret);
    const prefix = (secret: string): string => hasher.hash(secret).slice(0, HASH_PREFIX_LENGTH);
    let read = '';
    let after: string | undefined;
    do {
      const page = await store.hashes.page(after, 2);
      read += page.prefixes;
      after = page.next;
    } while (after !== undefined);
    expect(read).toBe(secrets.map(prefix).join(''));
    const { mark } = await store.hashes.since(undefined);
    const { secret } = await create();
    expect(await store.hashes.since(mark)).toMatchObject({ prefixes: prefix(secret), complete: true });
  });
});
