import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { madeUpKey, signer } from '../src/testing/stub-key-store.js';
import { bearer, GuardedApp } from './guarded-app.js';

const app = new GuardedApp();

const MISSING = { status: 401, body: 'missing_api_key', challenge: 'Bearer realm="petstore"' };
const INVALID = {
  status: 401,
  body: 'invalid_api_key',
  challenge: 'Bearer realm="petstore", error="invalid_token"',
};

describe('the guard', () => {
  it.each(['/read', '/unmarked', '/public/protected'])('asks for a key on %s', async (path) => {
    expect(await app.send('GET', path)).toMatchObject(MISSING);
    expect(await app.send('GET', path, bearer(app.put()))).toMatchObject({ status: 200 });
  });

  it.each(['/open', '/public/open'])('lets everybody pass on %s', async (path) => {
    expect(await app.send('GET', path)).toMatchObject({ status: 200 });
    expect(await app.send('GET', path, bearer('nonsense'))).toMatchObject({ status: 200 });
    expect(app.limiter.charged).toEqual([]);
  });

  it('tells the handler whose key it is, and takes down the use', async () => {
    const key = app.put();
    for (let i = 0; i < 3; i++) {
      expect(await app.send('GET', '/unmarked', bearer(key))).toMatchObject({ status: 200, body: key });
    }
    const [id] = [...app.store.keys.values()]
      .filter(({ caller }) => caller.name === key)
      .map(({ caller }) => caller.keyId);
    expect(app.usage.keys).toEqual([id, id, id]);
    expect(app.store.lookups).toBe(1);
  });

  it('accepts a key whose scopes nothing here defines, and refuses what they do not give', async () => {
    const key = app.put(['orders:manage']);
    expect(await app.send('GET', '/unmarked', bearer(key))).toMatchObject({ status: 200 });
    expect(await app.send('GET', '/read', bearer(key))).toMatchObject({
      status: 403,
      body: 'insufficient_scope',
    });
  });

  it.each<[string, [string, string][], object]>([
    ['no key', [], MISSING],
    ['an empty field', [['Authorization', '']], MISSING],
    ['another scheme', [['Authorization', 'Basic YTpi']], MISSING],
    ['a key in another field', [['X-Api-Key', 'abc']], MISSING],
    ['a made-up key', [bearer(madeUpKey())], INVALID],
    ['a key that is not in the store', [bearer(signer.issue('test').text)], INVALID],
    ['a mistyped key', [bearer(signer.issue('test').text.replace(/.$/, '~'))], INVALID],
    ['a key with a space', [bearer('a b')], INVALID],
    ['an endless key', [bearer('x'.repeat(5_000))], INVALID],
  ])('refuses %s with the headers of the address', async (_, headers, refusal) => {
    expect(await app.send('GET', '/read', ...headers)).toMatchObject({
      ...refusal,
      limit: '10',
      remaining: '9',
    });
    expect(app.limiter.charged).toEqual([undefined]);
  });

  it('refuses two Authorization fields, even with a good key in both', async () => {
    const key = app.put();
    expect(await app.send('GET', '/read', bearer(key), bearer(key))).toMatchObject(INVALID);
  });

  it('refuses a key without the scope, and charges the key', async () => {
    const key = app.put(['pets:read']);
    expect(await app.send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
    expect(await app.send('POST', '/write', bearer(key))).toMatchObject({
      status: 403,
      body: 'insufficient_scope',
      challenge: 'Bearer error="insufficient_scope", scope="pets:write", realm="petstore"',
      limit: '60',
      remaining: '59',
    });
    expect(app.limiter.charged).toEqual([key]);
  });

  it('responds 503 while the store is unavailable, and charges nobody', async () => {
    const key = app.put();
    app.store.unavailable = true;
    expect(await app.send('GET', '/read', bearer(key))).toMatchObject({
      status: 503,
      limit: '10',
      remaining: '10',
    });
    expect(app.limiter.charged).toEqual([]);
    app.store.unavailable = false;
    expect(await app.send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
  });

  it('goes on accepting what it remembers while the store is unavailable', async () => {
    const key = app.put();
    await app.send('GET', '/read', bearer(key));
    app.store.unavailable = true;
    expect(await app.send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
  });

  it('looks up a new key once for many requests at the same time', async () => {
    const key = app.put();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => app.send('GET', '/read', bearer(key))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(app.store.lookups).toBe(1);
  });

  it('never looks made-up keys up, and refuses an address that sends too many', async () => {
    const made = Array.from({ length: 200 }, madeUpKey);
    const answers = await Promise.all(made.map((key) => app.send('GET', '/read', bearer(key))));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(190);
    expect(app.store.lookups).toBe(0);
  });

  it('refuses made-up keys while the store is unavailable, too', async () => {
    app.store.unavailable = true;
    expect(await app.send('GET', '/read', bearer(madeUpKey()))).toMatchObject(INVALID);
  });

  describe('from an address that has used up its refusals', () => {
    const exhaust = async (): Promise<void> => {
      for (let i = 0; i < 11; i++) await app.send('GET', '/read');
      expect(await app.send('GET', '/read')).toMatchObject({ status: 429 });
    };

    it('accepts a remembered key', async () => {
      const key = app.put();
      await app.send('GET', '/read', bearer(key));
      await exhaust();
      expect(await app.send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
    });

    it('accepts a key on its first use', async () => {
      const key = app.put();
      await exhaust();
      expect(await app.send('GET', '/read', bearer(key))).toMatchObject({ status: 200 });
      expect(app.limiter.charged).toEqual(Array(12).fill(undefined));
    });
  });
});
