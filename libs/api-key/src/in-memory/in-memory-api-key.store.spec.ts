import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyAdministration } from '../administration/api-key-administration.js';
import { KeyId } from '../key/key-id.js';
import { KeyRuleError, UnknownKeyError } from '../key/key.errors.js';
import { defineScopes } from '../scopes/scope-registry.js';
import { KeySigner } from '../secrets/key-signer.js';
import type { FoundKey } from '../cache/api-key-cache.js';
import { InMemoryApiKeyStore } from './in-memory-api-key.store.js';

const HOUR = 3_600_000;
const scopes = defineScopes({ 'cats:read': { grants: 'lists cats', byDefault: true } });
const signer = new KeySigner('pepper');

let now: Date;
let store: InMemoryApiKeyStore;
let administration: ApiKeyAdministration;

const administer = ({ repository }: InMemoryApiKeyStore): ApiKeyAdministration =>
  new ApiKeyAdministration({ repository, signer, scopes, kind: 'test', now: () => now });
const create = (): ReturnType<ApiKeyAdministration['create']> =>
  administration.create({ name: 'shop', plan: 'free' }, 'anna');
const find = async (secret: string): Promise<FoundKey | undefined> => {
  const hash = signer.verify(secret);
  return hash && store.lookup.find(hash);
};

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
    expect(await find(signer.issue('test').text)).toBeUndefined();
    await administration.revoke(key.id, 'anna');
    expect(await find(secret)).toBeUndefined();
    const { audit } = await administration.show(key.id);
    expect(audit.map(({ action }) => action)).toEqual(['created', 'revoked']);
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

  it('keeps a ban until it is lifted', async () => {
    const { key } = await create();
    const usage = { keyId: key.id, day: '2026-11-20', requests: 1, refused: 1, lastUsedAt: now };
    const bannedUntil = new Date(now.getTime() + HOUR);
    const banOf = async (): Promise<Date | undefined> =>
      (await administration.show(key.id)).overview.bannedUntil;
    await store.usage.add([{ ...usage, bannedUntil }]);
    await store.usage.add([{ ...usage, bannedUntil: undefined }]);
    expect(await banOf()).toEqual(bannedUntil);
    await administration.unban(key.id, 'anna');
    expect(await banOf()).toBeUndefined();
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
});
