import { describe, expect, it } from '@jest/globals';
import { HOUR, StoredKeys } from './stored-keys.js';

const keys = new StoredKeys();

describe('rotation', () => {
  it('lets the old secret live for the overlap, under the same id', async () => {
    const { key, secret: old } = await keys.create();
    const { secret: fresh } = await keys.administration.rotate(key.id, HOUR, 'ben');
    const end = new Date(keys.now.getTime() + HOUR);
    expect(await keys.find(fresh)).toMatchObject({ caller: { keyId: key.id }, usableUntil: undefined });
    expect(await keys.find(old)).toMatchObject({ caller: { keyId: key.id }, usableUntil: end });
    const { overview } = await keys.administration.show(key.id);
    expect(overview.key.secrets.map(({ hint, validUntil }) => [hint.lastFour, validUntil])).toEqual([
      [old.slice(-4), end],
      [fresh.slice(-4), undefined],
    ]);
    await keys.administration.rotate(key.id, 0, 'ben');
    for (const secret of [old, fresh]) expect(await keys.find(secret)).toBeUndefined();
  });

  it('by operators at the same time is done one after the other', async () => {
    const { key } = await keys.create();
    const issued = await Promise.all(
      Array.from({ length: 8 }, () => keys.administration.rotate(key.id, HOUR, 'ben')),
    );
    const { overview } = await keys.administration.show(key.id);
    expect(overview.key.secrets).toHaveLength(9);
    expect(overview.key.secrets.filter(({ validUntil }) => validUntil === undefined)).toHaveLength(1);
    expect(await keys.audit(key.id)).toEqual(['created', ...Array<string>(8).fill('rotated')]);
    for (const { secret } of issued) expect(await keys.find(secret)).toBeDefined();
  });
});
