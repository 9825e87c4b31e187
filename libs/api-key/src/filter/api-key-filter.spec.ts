import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyFilter } from './api-key-filter.js';
import type { ApiKeyFilterSettings } from './api-key-filter.options.js';
import type { HashDelta } from './api-key-hash.source.js';
import { KeyStoreUnavailable } from '../key/key-store-unavailable.error.js';
import { hasher, StubKeyStore } from '../testing/stub-key-store.js';

const GAP = 30;

let store: StubKeyStore;
let filter: ApiKeyFilter;
let told: string[];

const made: ApiKeyFilter[] = [];
function filterWith(settings: Partial<ApiKeyFilterSettings> = {}): ApiKeyFilter {
  const one = new ApiKeyFilter(store, {
    settings: { refreshGap: GAP, ...settings },
    onFailure: (error) => told.push(`failure: ${String(error)}`),
    onRecovery: () => told.push('recovery'),
  });
  made.push(one);
  return one;
}

beforeEach(() => {
  store = new StubKeyStore();
  told = [];
  filter = filterWith();
});
afterEach(() => Promise.all(made.splice(0).map((one) => one.close())));

const knows = (key: string, of = filter): boolean => of.has([hasher.hash(key)]);

/** Holds the store's answers back until it is called. */
function hold(): () => void {
  let open: () => void = () => undefined;
  store.gate = new Promise((resolve) => (open = resolve));
  return () => {
    store.gate = Promise.resolve();
    open();
  };
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; !condition();) {
    if (Date.now() > end) throw new Error(`It did not come to pass: ${condition.toString()}`);
    await sleep(2);
  }
}

describe('the filter', () => {
  it.each([1, 2, 3, 7, 100])('knows every key after its start, read in pages of %s', async (pageSize) => {
    for (let i = 0; i < 50; i++) store.put(`key ${i}`);
    filter = filterWith({ pageSize });
    await filter.start();
    for (let i = 0; i < 50; i++) expect(knows(`key ${i}`)).toBe(true);
    expect(knows('made up')).toBe(false);
    expect(filter.stats).toMatchObject({ hashes: 50, rebuilds: 1, waiting: 0 });
  });

  it('knows a key under any of its hashes', async () => {
    store.put('a');
    await filter.start();
    expect(filter.has([hasher.hash('other'), hasher.hash('a')])).toBe(true);
    expect(filter.has([])).toBe(false);
  });

  it('knows a key that is added while everything is read', async () => {
    for (let i = 0; i < 10; i++) store.put(`key ${i}`);
    filter = filterWith({ pageSize: 2 });
    const open = hold();
    const starting = filter.start();
    // The pages are read in another order than keys come in: this one is on none of them.
    const page = store.page.bind(store);
    store.page = async (after, most) => {
      const answer = await page(after, most);
      return Number(after ?? 0) >= 10 ? { prefixes: '', next: undefined } : answer;
    };
    await until(() => store.reads === 1);
    store.put('late');
    open();
    await starting;
    expect(knows('late')).toBe(true);
  });
});

describe('a key that is not known', () => {
  beforeEach(() => filter.start());

  it('is known after waiting when it was there before', async () => {
    store.put('a');
    expect(knows('a')).toBe(false);
    await filter.wait();
    expect(knows('a')).toBe(true);
  });

  it('is asked for at once where nothing was asked for of late', async () => {
    await sleep(GAP);
    const began = performance.now();
    await filter.wait();
    expect(performance.now() - began).toBeLessThan(GAP);
  });

  it('waits for a refresh that begins after it came, not for the one that runs', async () => {
    const open = hold();
    const { reads } = store;
    const first = filter.wait();
    await until(() => store.reads === reads + 1);
    store.put('a');
    const second = filter.wait();
    open();
    await first;
    expect(knows('a')).toBe(false);
    await second;
    expect(knows('a')).toBe(true);
  });

  it('costs the store one question in a while, however many there are', async () => {
    const { reads } = store;
    const began = performance.now();
    let waits = 0;
    const load = Array.from({ length: 100 }, async () => {
      while (performance.now() - began < 10 * GAP) {
        await filter.wait();
        waits++;
      }
    });
    await Promise.all(load);
    const took = performance.now() - began;
    expect(store.reads - reads).toBeLessThanOrEqual(took / GAP + 2);
    expect(waits).toBeGreaterThan(200);
  });

  it('waits in a bounded number, and the others are told at once that it is too much', async () => {
    filter = filterWith({ mostWaiting: 10 });
    const open = hold();
    const ten = Array.from({ length: 10 }, () => filter.wait());
    expect(filter.stats.waiting).toBe(10);
    await expect(filter.wait()).rejects.toThrow(KeyStoreUnavailable);
    open();
    await Promise.all(ten);
    expect(filter.stats.waiting).toBe(0);
  });

  it('is not answered while the store is away, and then at once', async () => {
    store.put('a');
    store.away = true;
    const waits = await Promise.allSettled(Array.from({ length: 30 }, () => filter.wait()));
    expect(new Set(waits.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect(filter.wait()).rejects.toThrow(KeyStoreUnavailable);
    expect(filter.stats.waiting).toBe(0);
    store.away = false;
    await filter.wait();
    expect(knows('a')).toBe(true);
    expect(told).toEqual(['failure: KeyStoreUnavailable: The store is away.', 'recovery']);
  });

  it('is let go a few at a time, so that others have their turns in between', async () => {
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns++;
      if (counting) setImmediate(count);
    };
    let before = 0;
    const waits = Array.from({ length: 320 }, (_, i) =>
      filter.wait().then(() => {
        if (i === 0) before = turns;
      }),
    );
    setImmediate(count);
    await Promise.all(waits);
    counting = false;
    expect(turns - before).toBeGreaterThanOrEqual(18);
  });
});

describe('by itself, the filter', () => {
  it('reads what was added, now and then', async () => {
    filter = filterWith({ refreshEvery: 20 });
    await filter.start();
    store.put('a');
    await until(() => knows('a'));
  });

  it('reads everything anew now and then, and forgets what is gone', async () => {
    store.put('gone');
    filter = filterWith({ refreshEvery: 10, rebuildEvery: 30 });
    await filter.start();
    store.hashes.splice(0);
    store.put('a');
    await until(() => !knows('gone'));
    await until(() => knows('a'));
  });

  it('starts without the store, and reads everything when it is there', async () => {
    store.put('a');
    store.away = true;
    filter = filterWith({ refreshEvery: 20 });
    await filter.start();
    expect(knows('a')).toBe(false);
    await expect(filter.wait()).rejects.toThrow(KeyStoreUnavailable);
    store.away = false;
    await until(() => knows('a'));
    expect(told.at(-1)).toBe('recovery');
  });

  it('does not start on a store that refuses to be read', async () => {
    store.page = () => Promise.reject(new Error('permission denied'));
    await expect(filter.start()).rejects.toThrow('permission denied');
  });

  it('reads everything anew soon after a failure: the store may have become another one', async () => {
    filter = filterWith({ refreshEvery: 10, rebuildAfterFailure: 50 });
    await filter.start();
    store.away = true;
    await expect(filter.wait()).rejects.toThrow();
    store.away = false;
    await until(() => filter.stats.rebuilds === 2);
  });

  it('tells how old its knowledge is', async () => {
    await filter.start();
    await sleep(60);
    expect(filter.stats.ageMs).toBeGreaterThanOrEqual(50);
    await filter.refresh();
    expect(filter.stats.ageMs).toBeLessThan(50);
  });
});

describe('where what was added is not all', () => {
  const incomplete = (once: () => boolean): void => {
    const since = store.since.bind(store);
    store.since = async (mark): Promise<HashDelta> => {
      const delta = await since(mark);
      return mark !== undefined && once() ? { ...delta, prefixes: '', complete: false } : delta;
    };
  };

  it('everything is read before anybody is answered', async () => {
    await filter.start();
    store.put('a');
    let first = true;
    incomplete(() => first && !(first = false));
    await filter.wait();
    expect(knows('a')).toBe(true);
    expect(filter.stats.rebuilds).toBe(2);
  });

  it('keys that are known stay known when that fails, and it is tried again', async () => {
    store.put('a');
    await filter.start();
    let count = 0;
    // The second time at the end of reading everything.
    incomplete(() => ++count <= 2);
    await expect(filter.wait()).rejects.toThrow(KeyStoreUnavailable);
    expect(knows('a')).toBe(true);
    store.put('b');
    await filter.wait();
    expect(knows('b')).toBe(true);
  });
});

describe('closing', () => {
  it('refuses those who wait, and ends reading', async () => {
    await filter.start();
    const waiting = filter.wait();
    const closing = filter.close();
    await expect(waiting).rejects.toThrow(KeyStoreUnavailable);
    await closing;
    await expect(filter.wait()).rejects.toThrow('stopping');
    const { reads } = store;
    await sleep(2 * GAP);
    expect(store.reads).toBe(reads);
  });
});
