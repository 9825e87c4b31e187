import { describe, expect, it } from '@jest/globals';
import { HISTORY_DAYS, KeyId, type KeyOverview, type KeyUsage } from '@petstore/api-key';
import { KEY_USAGE_RETENTION } from '../src/api-keys/key-usage.retention.js';
import { HISTORY } from '../src/api-keys/postgres-key-usage.history.js';
import { endClient } from '../src/connection/pg-client.js';
import { removeOldRows } from '../src/retention/retention-rule.js';
import { buffersOf, explain, fastLaneSession, rowsThrownAway } from './query-plan.js';
import { HOUR, StoredKeys } from './stored-keys.js';

const keys = new StoredKeys();
const day = '2026-11-20';
const NONE = { day, requests: 0, refused: 0, lastUsedAt: undefined, bannedUntil: undefined };

const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * HOUR).toISOString().slice(0, 10);
const newKey = async (expiresAt?: Date): Promise<KeyId> => (await keys.create('shop', expiresAt)).key.id;
/** Adds one batch. */
const add = (keyId: KeyId, ...batch: readonly Partial<KeyUsage>[]): Promise<void> =>
  keys.stores.keyUsage.add(batch.map((usage) => ({ ...NONE, keyId, ...usage })));
const overview = (keyId: KeyId, since = day): Promise<KeyOverview | undefined> =>
  keys.stores.apiKeys.find(keyId, since);

describe('the use of a key', () => {
  it('is added up by key and day', async () => {
    const id = await newKey();
    const early = new Date('2026-11-20T10:00:00Z');
    const late = new Date('2026-11-20T11:00:00Z');
    await add(
      id,
      { day: '2026-11-19', requests: 5, refused: 1, lastUsedAt: early },
      { requests: 2, lastUsedAt: late },
    );
    await add(id, { requests: 3, refused: 2, lastUsedAt: early });
    expect(await overview(id, '2026-11-19')).toMatchObject({
      lastUsedAt: late,
      days: [
        { day, requests: 5, refused: 2 },
        { day: '2026-11-19', requests: 5, refused: 1 },
      ],
    });
    expect((await overview(id))?.days).toHaveLength(1);
  });

  it('keeps a ban until it is lifted', async () => {
    const id = await newKey();
    const bannedUntil = new Date('2026-11-20T12:00:00Z');
    for (const [reported, expected] of [
      [bannedUntil, bannedUntil],
      [undefined, bannedUntil],
      [null, undefined],
    ] as const) {
      await add(id, { bannedUntil: reported });
      expect((await overview(id))?.bannedUntil).toEqual(expected);
    }
  });

  it('of a key that this database does not know is left out', async () => {
    const id = await newKey();
    await add(id, { keyId: KeyId.generate(), requests: 1 }, { requests: 1 });
    expect((await overview(id))?.days).toEqual([{ day, requests: 1, refused: 0 }]);
  });

  it('is removed after 400 days', async () => {
    const id = await newKey();
    await add(id, ...[399, 402, 900].map((days) => ({ day: daysAgo(days), requests: 1 })));
    for (const removed of [2, 0])
      expect(await removeOldRows(keys.manager, KEY_USAGE_RETENTION)).toBe(removed);
    expect((await overview(id, daysAgo(1_000)))?.days).toEqual([
      { day: daysAgo(399), requests: 1, refused: 0 },
    ]);
  });

  it('of many keys is added by many processes at once', async () => {
    const ids = (await Promise.all(Array.from({ length: 20 }, () => newKey()))).sort();
    const batch = ids.map((keyId) => ({ ...NONE, keyId, requests: 1, lastUsedAt: new Date() }));
    await Promise.all(Array.from({ length: 8 }, () => keys.stores.keyUsage.add(batch)));
    for (const id of ids) expect((await overview(id))?.days[0]?.requests).toBe(8);
  });
});

describe('the history of a key', () => {
  it('is empty for a key that was never used, or does not exist', async () => {
    for (const id of [await newKey(), KeyId.generate()])
      expect(await keys.stores.keyHistory.of(id)).toEqual({ expiresAt: undefined, days: [] });
  });

  it('has the end of the key, and the days on which it was used, the latest first', async () => {
    const expiresAt = '2090-01-02T03:04:05.678Z';
    const id = await newKey(new Date(expiresAt));
    expect(await keys.stores.keyHistory.of(id)).toEqual({ expiresAt, days: [] });
    const used = [0, 3, HISTORY_DAYS - 1].map((days) => ({
      day: daysAgo(days),
      requests: 2 ** 40,
      refused: days,
    }));
    await add(id, ...used, { day: daysAgo(HISTORY_DAYS), requests: 1 });
    expect(await keys.stores.keyHistory.of(id)).toEqual({ expiresAt, days: used });
  });

  it('is read by index, however many keys were used for however long', async () => {
    const id = await newKey();
    const session = await fastLaneSession(keys.server.url);
    await session.query(
      `insert into api_keys (id, name, plan, scopes, created_at)
       select 'key_' || lpad(n::text, 16, '0'), 'shop', 'free', '{pets:read}', now() from generate_series(1, 200) n`,
    );
    await session.query(
      `insert into api_key_usage select id, (now() at time zone 'UTC')::date - n, 1, 0
       from api_keys, generate_series(0, 399) n on conflict do nothing`,
    );
    const plan = await explain(session, [{ name: 'history', text: HISTORY }, [id, HISTORY_DAYS]]);
    await endClient(session);
    expect(rowsThrownAway(plan)).toBe(0);
    expect(buffersOf(plan)).toBeLessThan(60);
    expect((await keys.stores.keyHistory.of(id)).days).toHaveLength(HISTORY_DAYS);
  });
});
