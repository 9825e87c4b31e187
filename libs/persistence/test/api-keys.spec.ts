import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiKeyAdministration,
  type FoundKey,
  type IssuedKey,
  KeyId,
  type KeyOverview,
  KeySigner,
  type KeyUsage,
} from '@petstore/api-key';
import { HISTORY_DAYS } from '../src/api-keys/key-usage-counters.js';
import { known } from '../src/testing/known.js';
import { removeOld } from './old-rows.js';
import { PLANS, SCOPES } from '../src/testing/scopes.js';
import { TestDatabase } from './test-database.js';

const HOUR = 60 * 60 * 1000;
const db = new TestDatabase();
const signer = new KeySigner('pepper of the tests');
let administration: ApiKeyAdministration;
beforeAll(() => {
  const repository = db.stores.apiKeys;
  administration = new ApiKeyAdministration({
    repository,
    signer,
    scopes: SCOPES,
    plans: PLANS,
    mode: 'test',
  });
});

const create = (expiresAt?: Date): Promise<IssuedKey> =>
  administration.create({ name: 'shop', plan: 'free', expiresAt }, 'anna');
const newId = async (): Promise<KeyId> => (await create()).key.id;
const find = (secret: string): Promise<FoundKey | undefined> =>
  db.stores.keyLookup.find(known(signer.verify(secret)));
/** What was done with a key. */
const audit = async (id: KeyId): Promise<string[]> =>
  (await administration.show(id)).audit.map(({ action }) => action);

it('a new key is found by its secret with all that the guard needs', async () => {
  const limits = { perMinute: 7, perDay: 999_999_999 };
  const wanted = { name: 'big "\\ 🐈', plan: 'enterprise', limits, scopes: ['pets:read'] } as const;
  const { key, secret } = await administration.create(wanted, 'anna');
  const { name, plan } = wanted;
  expect(await find(secret)).toEqual({
    usableUntil: undefined,
    keyId: key.id,
    name,
    plan: { name: plan, ...limits },
    scopes: new Set(['pets:read']),
  });
});

it('a change of nothing has no entry in the audit, and any other leaves scopes as they are that are unknown here', async () => {
  const { key, secret } = await create();
  await administration.update(key.id, { plan: 'free', name: 'shop' }, 'ben');
  await db.query(`update api_keys set scopes = '{orders:manage,pets:read}' where id = $1`, [key.id]);
  expect((await find(secret))?.scopes).toEqual(new Set(['orders:manage', 'pets:read']));
  const changes = { name: 'store', plan: 'enterprise', limits: { perMinute: 5, perDay: 50 } } as const;
  const { key: changed } = await administration.update(key.id, changes, 'ben');
  expect(changed.settings.scopes).toEqual(['orders:manage', 'pets:read']);
  expect((await administration.show(key.id)).overview.key).toEqual(changed);
  for (let i = 0; i < 2; i++) await administration.revoke(key.id, 'ben');
  expect(await audit(key.id)).toEqual(['created', 'updated', 'revoked']);
});

it('rotations by operators at the same time are done one after the other', async () => {
  const id = await newId();
  const issued = await Promise.all(Array.from({ length: 8 }, () => administration.rotate(id, HOUR, 'ben')));
  const { secrets } = (await administration.show(id)).overview.key;
  expect(secrets).toHaveLength(9);
  expect(secrets.filter(({ validUntil }) => validUntil === undefined)).toHaveLength(1);
  expect(await audit(id)).toEqual(['created', ...Array<string>(8).fill('rotated')]);
  for (const { secret } of issued) expect(await find(secret)).toBeDefined();
});

it.each([
  ['delete from api_key_audit where false', 'append-only'],
  ['truncate api_keys cascade', 'append-only'],
  [`update api_keys set scopes = '{pets:read,NULL}'`, 'api_keys_scopes_form'],
  [`update api_keys set scopes = '{""}'`, 'api_keys_scopes_form'],
])('the database refuses %s', async (statement, message) => {
  await create();
  await expect(db.query(statement)).rejects.toThrow(message);
});

describe('the use of a key', () => {
  const DAY = '2026-11-20';
  const NONE = { day: DAY, requests: 0, refused: 0, lastUsedAt: undefined, bannedUntil: undefined };
  const daysAgo = (days: number): string =>
    new Date(Date.now() - days * 24 * HOUR).toISOString().slice(0, 10);
  let id: KeyId;
  beforeEach(async () => {
    id = await newId();
  });

  const add = (...batch: readonly Partial<KeyUsage>[]): Promise<void> =>
    db.stores.keyUsage.add(batch.map((usage) => ({ ...NONE, keyId: id, ...usage })));
  const overview = (since = DAY, of = id): Promise<KeyOverview | undefined> =>
    db.stores.apiKeys.find(of, since);

  it('is added up by day, whatever the order of the batches', async () => {
    const early = new Date('2026-11-20T10:00:00Z');
    const late = new Date('2026-11-20T11:00:00Z');
    await add(
      { day: '2026-11-19', requests: 5, refused: 1, lastUsedAt: early },
      { requests: 2, lastUsedAt: late },
      // A key of another database.
      { keyId: KeyId.generate(), requests: 1 },
    );
    await add({ requests: 3, refused: 2, lastUsedAt: early });
    expect(await overview('2026-11-19')).toMatchObject({
      lastUsedAt: late,
      days: [
        { day: DAY, requests: 5, refused: 2 },
        { day: '2026-11-19', requests: 5, refused: 1 },
      ],
    });
    expect((await overview())?.days).toHaveLength(1);
  });

  it('keeps a ban until it is lifted', async () => {
    const bannedUntil = new Date('2026-11-20T12:00:00Z');
    for (const reported of [bannedUntil, undefined]) {
      await add({ bannedUntil: reported });
      expect((await overview())?.bannedUntil).toEqual(bannedUntil);
    }
    await administration.update(id, { name: 'store' }, 'ben');
    expect((await overview())?.bannedUntil).toEqual(bannedUntil);
    await administration.unban(id, 'ben');
    expect((await overview())?.bannedUntil).toBeUndefined();
  });

  it('of many keys is added by many processes at once', async () => {
    const ids = (await Promise.all(Array.from({ length: 20 }, newId))).sort();
    const batch = ids.map((keyId) => ({ ...NONE, keyId, requests: 1, lastUsedAt: new Date() }));
    await Promise.all(Array.from({ length: 8 }, () => db.stores.keyUsage.add(batch)));
    for (const each of ids) expect((await overview(DAY, each))?.days[0]?.requests).toBe(8);
  });

  it('is history for so many days, the latest first, and removed after 400', async () => {
    const { expiresAt } = (await create(new Date('2090-01-02T03:04:05.678Z'))).key.settings;
    expect(expiresAt).toBeDefined();
    expect(await db.stores.keyUsage.historyOf(KeyId.generate())).toEqual({ expiresAt: undefined, days: [] });
    const used = [0, 3, HISTORY_DAYS - 1].map((days) => ({
      day: daysAgo(days),
      requests: 2 ** 40,
      refused: days,
    }));
    await add(...used, ...[HISTORY_DAYS, 399, 402, 900].map((days) => ({ day: daysAgo(days), requests: 1 })));
    expect(await db.stores.keyUsage.historyOf(id)).toEqual({ expiresAt: undefined, days: used });
    expect(await removeOld(db, 'api_key_usage')).toBe(2);
    expect((await overview(daysAgo(1_000)))?.days.map(({ day }) => day)).toEqual(
      [0, 3, HISTORY_DAYS - 1, HISTORY_DAYS, 399].map(daysAgo),
    );
  });
});
