import { describe, expect, it } from '@jest/globals';
import { KeyId } from '@petstore/api-key';
import { KEY_USAGE_RETENTION } from '../src/api-key/key-usage.retention.js';
import { removeOldRows } from '../src/retention/retention-rule.js';
import { HOUR, StoredKeys } from './stored-keys.js';

const keys = new StoredKeys();

describe('the use of a key', () => {
  const day = '2026-11-20';

  it('is added up by key and day', async () => {
    const { key } = await keys.create();
    const base = { keyId: key.id, bannedUntil: undefined };
    const early = new Date('2026-11-20T10:00:00Z');
    const late = new Date('2026-11-20T11:00:00Z');
    await keys.usage.add([
      { ...base, day: '2026-11-19', requests: 5, refused: 1, lastUsedAt: early },
      { ...base, day, requests: 2, refused: 0, lastUsedAt: late },
    ]);
    await keys.usage.add([{ ...base, day, requests: 3, refused: 2, lastUsedAt: early }]);
    expect(await keys.repository.find(key.id, '2026-11-19')).toMatchObject({
      lastUsedAt: late,
      days: [
        { day, requests: 5, refused: 2 },
        { day: '2026-11-19', requests: 5, refused: 1 },
      ],
    });
    expect((await keys.repository.find(key.id, day))?.days).toHaveLength(1);
  });

  it('keeps a ban until it is lifted', async () => {
    const { key } = await keys.create();
    const base = { keyId: key.id, day, requests: 0, refused: 0, lastUsedAt: undefined };
    const until = new Date('2026-11-20T12:00:00Z');
    const bannedUntil = async (): Promise<Date | undefined> =>
      (await keys.repository.find(key.id, day))?.bannedUntil;
    await keys.usage.add([{ ...base, bannedUntil: until }]);
    await keys.usage.add([{ ...base, bannedUntil: undefined }]);
    expect(await bannedUntil()).toEqual(until);
    await keys.usage.add([{ ...base, bannedUntil: null }]);
    expect(await bannedUntil()).toBeUndefined();
  });

  it('of a key that this database does not know is left out', async () => {
    const { key } = await keys.create();
    const base = { day, requests: 1, refused: 0, lastUsedAt: new Date(), bannedUntil: undefined };
    await keys.usage.add([
      { ...base, keyId: KeyId.generate() },
      { ...base, keyId: key.id },
    ]);
    expect((await keys.repository.find(key.id, day))?.days).toEqual([{ day, requests: 1, refused: 0 }]);
  });

  it('is forgotten after 400 days', async () => {
    const { key } = await keys.create();
    const daysAgo = (days: number): string =>
      new Date(Date.now() - days * 24 * HOUR).toISOString().slice(0, 10);
    const base = { keyId: key.id, requests: 1, refused: 0, lastUsedAt: undefined, bannedUntil: undefined };
    await keys.usage.add([399, 402, 900].map((days) => ({ ...base, day: daysAgo(days) })));
    expect(await removeOldRows(keys.dataSource.manager, KEY_USAGE_RETENTION)).toBe(2);
    expect(await removeOldRows(keys.dataSource.manager, KEY_USAGE_RETENTION)).toBe(0);
    const rows: unknown = await keys.dataSource.query(
      'select day::text from api_key_usage where key_id = $1',
      [key.id],
    );
    expect(rows).toEqual([{ day: daysAgo(399) }]);
  });

  it('is added by many processes at once without waiting for each other in circles', async () => {
    const issued = await Promise.all(Array.from({ length: 20 }, () => keys.create()));
    const batch = issued
      .map(({ key }) => ({
        keyId: key.id,
        day,
        requests: 1,
        refused: 0,
        lastUsedAt: new Date(),
        bannedUntil: undefined,
      }))
      .sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    await Promise.all(Array.from({ length: 8 }, () => keys.usage.add(batch)));
    for (const { key } of issued)
      expect((await keys.repository.find(key.id, day))?.days[0]?.requests).toBe(8);
  });
});
