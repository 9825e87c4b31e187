import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KnownHashes } from '../filter/known-hashes.js';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { hasher, StubKeyStore } from '../testing/stub-key-store.js';
import { settled, TestClock } from '../testing/test-clock.js';
import { ApiKeyCache } from './api-key-cache.js';

let store: StubKeyStore;
let clock: TestClock;
let cache: ApiKeyCache;

beforeEach(() => {
  store = new StubKeyStore();
  clock = new TestClock();
});

describe('a key that the filter does not know', () => {
  /** Knows what is put into it, once it has been waited for. */
  class Filter implements KnownHashes {
    version = 0;
    waits = 0;
    refreshes = 0;
    readonly known = new Set<string>();
    coming: string[] = [];
    unavailable = false;
    has = (hashes: readonly string[]): boolean => hashes.some((hash) => this.known.has(hash));
    wait = async (): Promise<void> => {
      this.waits++;
      await settled();
      if (this.unavailable) throw new KeyStoreUnavailableError('unavailable');
      this.take();
    };
    refresh = (): Promise<void> => {
      this.refreshes++;
      this.take();
      return Promise.resolve();
    };
    private take(): void {
      if (this.coming.length > 0) this.version++;
      for (const hash of this.coming.splice(0)) this.known.add(hash);
    }
  }
  let filter: Filter;
  beforeEach(() => {
    filter = new Filter();
    cache = new ApiKeyCache(store, hasher, filter, clock);
  });

  it('is refused without a look-up, and for 4 seconds without waiting again', async () => {
    expect(await cache.load('x')).toBeUndefined();
    expect(cache.get('x')).toBe('refused');
    expect([store.lookups, filter.waits]).toEqual([0, 1]);
    clock.pass(4_000);
    expect(cache.get('x')).toBeUndefined();
  });

  it('is looked up when it was issued just now', async () => {
    const { caller, hash } = store.put('a');
    filter.coming.push(hash);
    expect(await cache.load('a')).toBe(caller);
    expect(filter.waits).toBe(1);
  });

  it('is not remembered as refused once anything has been added', async () => {
    expect(await cache.load('a')).toBeUndefined();
    const { caller, hash } = store.put('a');
    filter.coming.push(hash);
    expect(cache.get('a')).toBe('refused');
    await filter.refresh();
    expect(cache.get('a')).toBeUndefined();
    expect(await cache.load('a')).toBe(caller);
  });

  it('is waited for once, however many requests present it', async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, () => cache.load('x', 'client')));
    expect(new Set(answers)).toEqual(new Set([undefined]));
    expect(filter.waits).toBe(1);
  });

  it('is not remembered as refused when an event arrived while it waited', async () => {
    const { caller } = store.put('other');
    const waiting = cache.load('x');
    cache.invalidate({ kind: 'changed', keyId: caller.keyId });
    expect(await waiting).toBeUndefined();
    expect(cache.get('x')).toBeUndefined();
  });

  it('is neither accepted nor refused while the filter cannot be read', async () => {
    filter.unavailable = true;
    await expect(cache.load('x')).rejects.toThrow(KeyStoreUnavailableError);
    expect(cache.get('x')).toBeUndefined();
  });

  it('is known by its hash under an earlier pepper, too', async () => {
    const earlier = new SecretHasher('earlier');
    const { caller, hash } = store.put('a', undefined, earlier.hash('a'));
    filter.known.add(hash);
    const rotated = new ApiKeyCache(store, new SecretHasher('pepper', ['earlier']), filter, clock);
    expect(await rotated.load('a')).toBe(caller);
    expect(filter.waits).toBe(0);
  });

  it('makes the filter read when an event arrives, and only of changes', () => {
    const { caller } = store.put('a');
    cache.invalidate({ kind: 'unbanned', keyId: caller.keyId });
    expect(filter.refreshes).toBe(0);
    cache.invalidate({ kind: 'changed', keyId: caller.keyId });
    expect(filter.refreshes).toBe(1);
  });
});
