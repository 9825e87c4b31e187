import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KnownHashes } from '../filter/api-key-filter.js';
import type { Clock } from '../clock/clock.js';
import { KeyStoreUnavailable } from '../key/key-store-unavailable.error.js';
import { DEFAULT_BOUNDS, KeyRing } from './api-key-cache.js';
import { SecretHasher } from '../secrets/secret-hasher.js';
import { EVERY_HASH, hasher, KeyShelf } from '../testing/stub-key-store.js';

class TestClock implements Clock {
  wall = Date.parse('2026-11-20T12:00:00Z');
  monotonic = 1_000;
  now = (): number => this.wall;
  elapsed = (): number => this.monotonic;
  pass(milliseconds: number): void {
    this.wall += milliseconds;
    this.monotonic += milliseconds;
  }
}

/** Lets everything that is due in the background happen. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let shelf: KeyShelf;
let clock: TestClock;
let ring: KeyRing;

beforeEach(() => {
  shelf = new KeyShelf();
  clock = new TestClock();
  ring = new KeyRing(shelf, hasher, EVERY_HASH, clock);
});

describe('a key', () => {
  it('is looked up once and then remembered', async () => {
    const { caller } = shelf.put('a');
    expect(ring.recall('a')).toBeUndefined();
    expect(await ring.lookUp('a')).toBe(caller);
    expect(ring.recall('a')).toBe(caller);
    expect(shelf.lookups).toBe(1);
  });

  it('is looked up once by any number of simultaneous first requests', async () => {
    const { caller } = shelf.put('a');
    const callers = await Promise.all(Array.from({ length: 500 }, () => ring.lookUp('a')));
    expect(new Set(callers)).toEqual(new Set([caller]));
    expect(shelf.lookups).toBe(1);
  });

  it('in use is read again in the background, without a gap', async () => {
    const { caller } = shelf.put('a');
    await ring.lookUp('a');
    for (let second = 0; second < 60; second++) {
      clock.pass(1_000);
      expect(ring.recall('a')).toBe(caller);
      await settled();
    }
    expect(shelf.lookups).toBeGreaterThan(10);
    expect(shelf.lookups).toBeLessThanOrEqual(16);
  });

  it('out of use is forgotten after 8 seconds', async () => {
    shelf.put('a');
    await ring.lookUp('a');
    clock.pass(8_000);
    expect(ring.recall('a')).toBeUndefined();
  });

  it('that was revoked is refused within 8 seconds, without any news', async () => {
    shelf.put('a');
    await ring.lookUp('a');
    shelf.keys.clear();
    let elapsed = 0;
    for (; typeof ring.recall('a') === 'object'; elapsed += 100) {
      clock.pass(100);
      await settled();
    }
    expect(elapsed).toBeLessThanOrEqual(8_000);
    expect(ring.recall('a')).toBe('refused');
  });

  it('is not believed longer than 8 seconds while the store is away, and asked for again', async () => {
    const { caller } = shelf.put('a');
    await ring.lookUp('a');
    shelf.away = true;
    clock.pass(7_999);
    expect(ring.recall('a')).toBe(caller);
    await settled();
    clock.pass(1);
    expect(ring.recall('a')).toBeUndefined();
    await expect(ring.lookUp('a')).rejects.toThrow(KeyStoreUnavailable);
    shelf.away = false;
    expect(await ring.lookUp('a')).toBe(caller);
  });

  it('that expires is refused at that very moment', async () => {
    const { caller } = shelf.put('a', new Date(clock.now() + 2_000));
    await ring.lookUp('a');
    clock.pass(1_999);
    expect(ring.recall('a')).toBe(caller);
    clock.pass(1);
    expect(ring.recall('a')).toBe('refused');
    expect(await ring.lookUp('a')).toBeUndefined();
  });

  it('is not believed longer when the calendar is set back', async () => {
    shelf.put('a');
    await ring.lookUp('a');
    clock.pass(8_000);
    clock.wall -= 24 * 3_600_000;
    expect(ring.recall('a')).toBeUndefined();
  });

  it('under an earlier pepper is accepted and hashed anew', async () => {
    const earlier = new SecretHasher('earlier');
    const { caller } = shelf.put('a', undefined, earlier.hash('a'));
    const rotated = new KeyRing(
      shelf,
      new SecretHasher('pepper', ['before that', 'earlier']),
      EVERY_HASH,
      clock,
    );
    expect(await rotated.lookUp('a')).toBe(caller);
    expect(shelf.rehashed).toEqual([`${earlier.hash('a')} ${hasher.hash('a')}`]);
  });
});

describe('a key that does not exist', () => {
  it('is looked up once, then refused for 4 seconds', async () => {
    expect(await ring.lookUp('x')).toBeUndefined();
    clock.pass(3_999);
    expect(ring.recall('x')).toBe('refused');
    clock.pass(1);
    expect(ring.recall('x')).toBeUndefined();
  });

  it('is not remembered as refused because the store was away', async () => {
    shelf.away = true;
    await expect(ring.lookUp('x')).rejects.toThrow(KeyStoreUnavailable);
    expect(ring.recall('x')).toBeUndefined();
  });
});

describe('a key that the filter does not know', () => {
  /** Knows what is put into it, once it has been waited for. */
  class Filter implements KnownHashes {
    version = 0;
    waits = 0;
    refreshes = 0;
    readonly known = new Set<string>();
    coming: string[] = [];
    away = false;
    has = (hashes: readonly string[]): boolean => hashes.some((hash) => this.known.has(hash));
    wait = async (): Promise<void> => {
      this.waits++;
      await settled();
      if (this.away) throw new KeyStoreUnavailable('away');
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
    ring = new KeyRing(shelf, hasher, filter, clock);
  });

  it('is refused without a look-up, and for 4 seconds without waiting again', async () => {
    expect(await ring.lookUp('x')).toBeUndefined();
    expect(ring.recall('x')).toBe('refused');
    expect([shelf.lookups, filter.waits]).toEqual([0, 1]);
    clock.pass(4_000);
    expect(ring.recall('x')).toBeUndefined();
  });

  it('is looked up when it was issued just now', async () => {
    const { caller, hash } = shelf.put('a');
    filter.coming.push(hash);
    expect(await ring.lookUp('a')).toBe(caller);
    expect(filter.waits).toBe(1);
  });

  it('is not remembered as refused once anything has been added', async () => {
    expect(await ring.lookUp('a')).toBeUndefined();
    const { caller, hash } = shelf.put('a');
    filter.coming.push(hash);
    expect(ring.recall('a')).toBe('refused');
    await filter.refresh();
    expect(ring.recall('a')).toBeUndefined();
    expect(await ring.lookUp('a')).toBe(caller);
  });

  it('is waited for once, however many requests present it', async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, () => ring.lookUp('x', 'client')));
    expect(new Set(answers)).toEqual(new Set([undefined]));
    expect(filter.waits).toBe(1);
  });

  it('is not remembered as refused when news arrived while it waited', async () => {
    const { caller } = shelf.put('other');
    const waiting = ring.lookUp('x');
    ring.hear({ kind: 'changed', keyId: caller.keyId });
    expect(await waiting).toBeUndefined();
    expect(ring.recall('x')).toBeUndefined();
  });

  it('is neither accepted nor refused while the filter cannot be read', async () => {
    filter.away = true;
    await expect(ring.lookUp('x')).rejects.toThrow(KeyStoreUnavailable);
    expect(ring.recall('x')).toBeUndefined();
  });

  it('is known by its hash under an earlier pepper, too', async () => {
    const earlier = new SecretHasher('earlier');
    const { caller, hash } = shelf.put('a', undefined, earlier.hash('a'));
    filter.known.add(hash);
    const rotated = new KeyRing(shelf, new SecretHasher('pepper', ['earlier']), filter, clock);
    expect(await rotated.lookUp('a')).toBe(caller);
    expect(filter.waits).toBe(0);
  });

  it('makes the filter read when news arrive, and only of changes', () => {
    const { caller } = shelf.put('a');
    ring.hear({ kind: 'unbanned', keyId: caller.keyId });
    expect(filter.refreshes).toBe(0);
    ring.hear({ kind: 'changed', keyId: caller.keyId });
    expect(filter.refreshes).toBe(1);
  });
});

describe('news', () => {
  it('of a change make the key be looked up again, and no other', async () => {
    const changed = shelf.put('a');
    const other = shelf.put('b');
    await Promise.all([ring.lookUp('a'), ring.lookUp('b')]);
    ring.hear({ kind: 'changed', keyId: changed.caller.keyId });
    expect(ring.recall('a')).toBeUndefined();
    expect(ring.recall('b')).toBe(other.caller);
  });

  it('that arrive during a look-up keep its result from being remembered or shared', async () => {
    const { caller } = shelf.put('a');
    let open: () => void = () => undefined;
    shelf.gate = new Promise((resolve) => (open = resolve));
    const before = ring.lookUp('a');
    shelf.keys.clear();
    ring.hear({ kind: 'changed', keyId: caller.keyId });
    const after = ring.lookUp('a');
    open();
    expect(await before).toBe(caller);
    expect(await after).toBeUndefined();
    expect(ring.recall('a')).toBe('refused');
  });

  it('of a new key end what was remembered of its refusal', async () => {
    await ring.lookUp('own');
    const { caller } = shelf.put('own');
    ring.hear({ kind: 'changed', keyId: caller.keyId });
    expect(await ring.lookUp('own')).toBe(caller);
  });

  it('of a lifted ban change nothing here', async () => {
    const { caller } = shelf.put('a');
    await ring.lookUp('a');
    ring.hear({ kind: 'unbanned', keyId: caller.keyId });
    expect(ring.recall('a')).toBe(caller);
  });
});

describe('the memory', () => {
  it('holds a bounded number of keys, those in use before those that are not', async () => {
    const small = new KeyRing(shelf, hasher, EVERY_HASH, clock, { ...DEFAULT_BOUNDS, accepted: 3 });
    for (const key of ['a', 'b', 'c']) {
      shelf.put(key);
      await small.lookUp(key);
    }
    clock.pass(5_000);
    small.recall('a');
    await settled();
    shelf.put('d');
    await small.lookUp('d');
    expect(small.recall('b')).toBeUndefined();
    for (const key of ['a', 'c', 'd']) expect(small.recall(key)).toBeDefined();
  });

  it('holds a bounded number of refusals, and none of them pushes a good key out', async () => {
    const { caller } = shelf.put('good');
    await ring.lookUp('good');
    for (let i = 0; i < 25_000; i++) await ring.lookUp(`made-up-${i}`);
    expect(ring.recall('made-up-0')).toBeUndefined();
    expect(ring.recall('made-up-24999')).toBe('refused');
    expect(ring.recall('good')).toBe(caller);
  });
});
