import { beforeEach, describe, expect, it } from '@jest/globals';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';
import { ApiKeyCache } from './api-key-cache.js';
import { DEFAULT_CACHE_BOUNDS } from './cache-bounds.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { EVERY_HASH, hasher, StubKeyStore } from '../testing/stub-key-store.js';
import { settled, TestClock } from '../testing/test-clock.js';

let store: StubKeyStore;
let clock: TestClock;
let cache: ApiKeyCache;

beforeEach(() => {
  store = new StubKeyStore();
  clock = new TestClock();
  cache = new ApiKeyCache(store, hasher, EVERY_HASH, clock);
});

describe('a key', () => {
  it('is looked up once and then remembered', async () => {
    const { caller } = store.put('a');
    expect(cache.get('a')).toBeUndefined();
    expect(await cache.load('a')).toBe(caller);
    expect(cache.get('a')).toBe(caller);
    expect(store.lookups).toBe(1);
  });

  it('is looked up once by any number of simultaneous first requests', async () => {
    const { caller } = store.put('a');
    const callers = await Promise.all(Array.from({ length: 500 }, () => cache.load('a')));
    expect(new Set(callers)).toEqual(new Set([caller]));
    expect(store.lookups).toBe(1);
  });

  it('in use is read again in the background, without a gap', async () => {
    const { caller } = store.put('a');
    await cache.load('a');
    for (let second = 0; second < 60; second++) {
      clock.pass(1_000);
      expect(cache.get('a')).toBe(caller);
      await settled();
    }
    expect(store.lookups).toBeGreaterThan(10);
    expect(store.lookups).toBeLessThanOrEqual(16);
  });

  it('out of use is forgotten after 8 seconds', async () => {
    store.put('a');
    await cache.load('a');
    clock.pass(8_000);
    expect(cache.get('a')).toBeUndefined();
  });

  it('that was revoked is refused within 8 seconds, without any event', async () => {
    store.put('a');
    await cache.load('a');
    store.keys.clear();
    let elapsed = 0;
    for (; typeof cache.get('a') === 'object'; elapsed += 100) {
      clock.pass(100);
      await settled();
    }
    expect(elapsed).toBeLessThanOrEqual(8_000);
    expect(cache.get('a')).toBe('refused');
  });

  it('is not accepted longer than 8 seconds while the store is unavailable, and asked for again', async () => {
    const { caller } = store.put('a');
    await cache.load('a');
    store.unavailable = true;
    clock.pass(7_999);
    expect(cache.get('a')).toBe(caller);
    await settled();
    clock.pass(1);
    expect(cache.get('a')).toBeUndefined();
    await expect(cache.load('a')).rejects.toThrow(KeyStoreUnavailableError);
    store.unavailable = false;
    expect(await cache.load('a')).toBe(caller);
  });

  it('that expires is refused at that very moment', async () => {
    const { caller } = store.put('a', new Date(clock.now() + 2_000));
    await cache.load('a');
    clock.pass(1_999);
    expect(cache.get('a')).toBe(caller);
    clock.pass(1);
    expect(cache.get('a')).toBe('refused');
    expect(await cache.load('a')).toBeUndefined();
  });

  it('is not accepted longer when the calendar is set back', async () => {
    store.put('a');
    await cache.load('a');
    clock.pass(8_000);
    clock.wall -= 24 * 3_600_000;
    expect(cache.get('a')).toBeUndefined();
  });

  it('under an earlier pepper is accepted and hashed anew', async () => {
    const earlier = new SecretHasher('earlier');
    const { caller } = store.put('a', undefined, earlier.hash('a'));
    const rotated = new ApiKeyCache(
      store,
      new SecretHasher('pepper', ['before that', 'earlier']),
      EVERY_HASH,
      clock,
    );
    expect(await rotated.load('a')).toBe(caller);
    expect(store.rehashed).toEqual([`${earlier.hash('a')} ${hasher.hash('a')}`]);
  });
});

describe('a key that does not exist', () => {
  it('is looked up once, then refused for 4 seconds', async () => {
    expect(await cache.load('x')).toBeUndefined();
    clock.pass(3_999);
    expect(cache.get('x')).toBe('refused');
    clock.pass(1);
    expect(cache.get('x')).toBeUndefined();
  });

  it('is not remembered as refused because the store was unavailable', async () => {
    store.unavailable = true;
    await expect(cache.load('x')).rejects.toThrow(KeyStoreUnavailableError);
    expect(cache.get('x')).toBeUndefined();
  });
});

describe('an event', () => {
  it('of a change make the key be looked up again, and no other', async () => {
    const changed = store.put('a');
    const other = store.put('b');
    await Promise.all([cache.load('a'), cache.load('b')]);
    cache.invalidate({ kind: 'changed', keyId: changed.caller.keyId });
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('b')).toBe(other.caller);
  });

  it('that arrive during a look-up keep its result from being remembered or shared', async () => {
    const { caller } = store.put('a');
    let open: () => void = () => undefined;
    store.gate = new Promise((resolve) => (open = resolve));
    const before = cache.load('a');
    store.keys.clear();
    cache.invalidate({ kind: 'changed', keyId: caller.keyId });
    const after = cache.load('a');
    open();
    expect(await before).toBe(caller);
    expect(await after).toBeUndefined();
    expect(cache.get('a')).toBe('refused');
  });

  it('of a new key end what was remembered of its refusal', async () => {
    await cache.load('own');
    const { caller } = store.put('own');
    cache.invalidate({ kind: 'changed', keyId: caller.keyId });
    expect(await cache.load('own')).toBe(caller);
  });

  it('of a lifted ban change nothing here', async () => {
    const { caller } = store.put('a');
    await cache.load('a');
    cache.invalidate({ kind: 'unbanned', keyId: caller.keyId });
    expect(cache.get('a')).toBe(caller);
  });
});

describe('the memory', () => {
  it('holds a bounded number of keys, those in use before those that are not', async () => {
    const small = new ApiKeyCache(store, hasher, EVERY_HASH, clock, { ...DEFAULT_CACHE_BOUNDS, accepted: 3 });
    for (const key of ['a', 'b', 'c']) {
      store.put(key);
      await small.load(key);
    }
    clock.pass(5_000);
    small.get('a');
    await settled();
    store.put('d');
    await small.load('d');
    expect(small.get('b')).toBeUndefined();
    for (const key of ['a', 'c', 'd']) expect(small.get(key)).toBeDefined();
  });

  it('holds a bounded number of refusals, and none of them pushes a good key out', async () => {
    const { caller } = store.put('good');
    await cache.load('good');
    for (let i = 0; i < 25_000; i++) await cache.load(`made-up-${i}`);
    expect(cache.get('made-up-0')).toBeUndefined();
    expect(cache.get('made-up-24999')).toBe('refused');
    expect(cache.get('good')).toBe(caller);
  });
});
