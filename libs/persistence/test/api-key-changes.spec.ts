import { describe, expect, it } from '@jest/globals';
import { KeyId, KeyRuleError, SecretHasher, UnknownKeyError } from '@petstore/api-key';
import { hasher, HOUR, StoredKeys } from './stored-keys.js';

const keys = new StoredKeys();

describe('rotation', () => {
  it('lets the old secret live for the overlap, under the same id', async () => {
    const { key, secret: old } = await keys.create();
    const { secret: fresh } = await keys.administration.rotate(key.id, HOUR, 'ben');
    expect(await keys.find(fresh)).toMatchObject({ caller: { keyId: key.id }, usableUntil: undefined });
    expect(await keys.find(old)).toMatchObject({
      caller: { keyId: key.id },
      usableUntil: new Date(keys.now.getTime() + HOUR),
    });
    const { overview } = await keys.administration.show(key.id);
    expect(overview.key.secrets.map(({ hint, validUntil }) => [hint.lastFour, validUntil])).toEqual([
      [old.slice(-4), new Date(keys.now.getTime() + HOUR)],
      [fresh.slice(-4), undefined],
    ]);
  });

  it('ends the old secret at once when there is no overlap', async () => {
    const { key, secret: old } = await keys.create();
    const { secret: fresh } = await keys.administration.rotate(key.id, 0, 'ben');
    expect(await keys.find(old)).toBeUndefined();
    expect(await keys.find(fresh)).toBeDefined();
  });

  it('is done one after the other by operators who rotate at the same time', async () => {
    const { key } = await keys.create();
    const issued = await Promise.all(
      Array.from({ length: 8 }, () => keys.administration.rotate(key.id, HOUR, 'ben')),
    );
    const { overview, audit } = await keys.administration.show(key.id);
    expect(overview.key.secrets).toHaveLength(9);
    expect(overview.key.secrets.filter(({ validUntil }) => validUntil === undefined)).toHaveLength(1);
    expect(audit.map(({ action }) => action)).toEqual(['created', ...Array<string>(8).fill('rotated')]);
    for (const { secret } of issued) expect(await keys.find(secret)).toBeDefined();
  });

  it('does not lose a secret that is hashed anew at the same time', async () => {
    const next = new SecretHasher('the next pepper', ['pepper of the tests']);
    for (let round = 0; round < 20; round++) {
      const { key, secret } = await keys.create();
      const [{ secret: fresh }] = await Promise.all([
        keys.administration.rotate(key.id, HOUR, 'ben'),
        keys.lookup.rehash(hasher.hash(secret), next.hash(secret)),
      ]);
      expect(await keys.lookup.find(next.candidates(secret))).toMatchObject({
        usableUntil: new Date(keys.now.getTime() + HOUR),
      });
      expect(await keys.find(fresh)).toBeDefined();
    }
  });
});

describe('a change', () => {
  it('leaves everything as it was when it is against the rules', async () => {
    const { key } = await keys.create();
    const update = keys.administration.update(key.id, { plan: 'enterprise' }, 'ben');
    await expect(update).rejects.toThrow(KeyRuleError);
    const { overview, audit } = await keys.administration.show(key.id);
    expect(overview.key).toEqual(key);
    expect(audit).toHaveLength(1);
  });

  it('of nothing leaves no entry in the audit', async () => {
    const { key } = await keys.create();
    await keys.administration.update(key.id, { plan: 'free', name: 'shop' }, 'ben');
    await keys.administration.revoke(key.id, 'ben');
    await keys.administration.revoke(key.id, 'ben');
    const { audit } = await keys.administration.show(key.id);
    expect(audit.map(({ action }) => action)).toEqual(['created', 'revoked']);
  });

  it('of plan, scopes, name and expiry is told field by field', async () => {
    const { key } = await keys.create();
    await keys.administration.update(
      key.id,
      { name: 'store', plan: 'enterprise', limits: { perMinute: 5, perDay: 50 }, scopes: ['pets:write'] },
      'ben',
    );
    await keys.administration.update(key.id, { limits: { perDay: 60 } }, 'ben');
    const { overview, audit } = await keys.administration.show(key.id);
    expect(overview.key.settings).toEqual({
      name: 'store',
      plan: { name: 'enterprise', limits: { perMinute: 5, perDay: 60 } },
      scopes: ['pets:write'],
      expiresAt: undefined,
    });
    expect(audit.slice(1).map(({ by, details }) => ({ by, details }))).toEqual([
      {
        by: 'ben',
        details: {
          name: 'shop -> store',
          plan: 'free -> enterprise (5/min, 50/day)',
          scopes: 'pets:read,pets:write -> pets:write',
        },
      },
      { by: 'ben', details: { plan: 'enterprise (5/min, 50/day) -> enterprise (5/min, 60/day)' } },
    ]);
  });

  it('of a key that does not exist is refused', async () => {
    const id = KeyId.generate();
    await expect(keys.administration.revoke(id, 'ben')).rejects.toThrow(new UnknownKeyError(id));
    await expect(keys.administration.show(id)).rejects.toThrow(UnknownKeyError);
  });
});

describe('the audit', () => {
  it.each([
    "update api_key_audit set done_by = 'nobody'",
    'delete from api_key_audit',
    'delete from api_key_audit where false',
    'truncate api_key_audit',
    'truncate api_keys cascade',
  ])('refuses: %s', async (statement) => {
    await keys.create();
    await expect(keys.dataSource.query(statement)).rejects.toThrow('append-only');
  });
});
