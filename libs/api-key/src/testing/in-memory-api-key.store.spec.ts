import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyAdministration } from '../administration/api-key-administration.js';
import { definePlans } from '../plans/plan-registry.js';
import { defineScopes } from '../scopes/scope-registry.js';
import { KeySigner } from '../secrets/key-signer.js';
import type { FoundKey } from '../cache/api-key-cache.js';
import { InMemoryApiKeyStore } from './in-memory-api-key.store.js';

const HOUR = 3_600_000;
const plans = definePlans({ free: { perMinute: 60, perDay: 1_000 } });
const scopes = defineScopes({ 'cats:read': { grants: 'lists cats', byDefault: true } });
const signer = new KeySigner('pepper');

let now: Date;
let store: InMemoryApiKeyStore;
let administration: ApiKeyAdministration;

const create = (): ReturnType<ApiKeyAdministration['create']> =>
  administration.create({ name: 'shop', plan: 'free' }, 'anna');
const find = async (secret: string): Promise<FoundKey | undefined> => {
  const hash = signer.verify(secret);
  return hash && store.lookup.find(hash);
};

beforeEach(() => {
  now = new Date('2026-11-20T12:00:00Z');
  store = new InMemoryApiKeyStore(() => now);
  const { repository } = store;
  administration = new ApiKeyAdministration({
    repository,
    signer,
    scopes,
    plans,
    mode: 'test',
    now: () => now,
  });
});

describe('the in-memory store', () => {
  it('finds a key until it expires', async () => {
    const expiresAt = new Date(now.getTime() + HOUR);
    const { key, secret } = await administration.create({ name: 'shop', plan: 'free', expiresAt }, 'anna');
    expect(await find(secret)).toMatchObject({
      keyId: key.id,
      plan: { name: 'free' },
      usableUntil: expiresAt,
    });
    now = expiresAt;
    expect(await find(secret)).toBeUndefined();
  });

  it('accepts the old secret for the overlap after a rotation', async () => {
    const { key, secret: old } = await create();
    const { secret } = await administration.rotate(key.id, HOUR, 'anna');
    expect((await find(old))?.usableUntil).toEqual(new Date(now.getTime() + HOUR));
    expect(await find(secret)).toBeDefined();
    now = new Date(now.getTime() + HOUR);
    expect(await find(old)).toBeUndefined();
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
});
