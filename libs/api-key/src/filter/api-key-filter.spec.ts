import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiKeyFilter } from './api-key-filter.js';
import type { ApiKeyFilterSettings } from './api-key-filter.options.js';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';
import { hasher, type StubKeyStore } from '../testing/stub-key-store.js';
import { knowsKey, REFRESH_GAP_MS, TestedFilters } from '../testing/tested-filters.js';
import { until } from '../testing/until.js';

let filters: TestedFilters;
let store: StubKeyStore;
let filter: ApiKeyFilter;
let told: string[];

const filterWith = (settings?: Partial<ApiKeyFilterSettings>): ApiKeyFilter => filters.create(settings);

beforeEach(() => {
  filters = new TestedFilters();
  ({ store, reports: told } = filters);
  filter = filterWith();
});
afterEach(() => filters.close());

const knows = (key: string, of = filter): boolean => knowsKey(of, key);

/** Holds the store's results back until it is called. */
function hold(): () => void {
  let open: () => void = () => undefined;
  store.gate = new Promise((resolve) => (open = resolve));
  return () => {
    store.gate = Promise.resolve();
    open();
  };
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
    await sleep(REFRESH_GAP_MS);
    const began = performance.now();
    await filter.wait();
    expect(performance.now() - began).toBeLessThan(REFRESH_GAP_MS);
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
      while (performance.now() - began < 10 * REFRESH_GAP_MS) {
        await filter.wait();
        waits++;
      }
    });
    await Promise.all(load);
    const took = performance.now() - began;
    expect(store.reads - reads).toBeLessThanOrEqual(took / REFRESH_GAP_MS + 2);
    expect(waits).toBeGreaterThan(200);
  });

  it('is known without a pause after one that was asked for just now, and not so where that failed', async () => {
    filter = filterWith({ refreshGap: 3_600_000, refreshBurst: 4 });
    await filter.start();
    for (const key of ['a', 'b']) {
      store.put(key);
      await filter.wait();
      expect(knows(key)).toBe(true);
    }
    store.unavailable = true;
    await expect(filter.wait()).rejects.toThrow(KeyStoreUnavailableError);
    const { reads } = store;
    const late = filter.wait();
    await sleep(REFRESH_GAP_MS);
    expect(store.reads).toBe(reads);
    await filter.close();
    await expect(late).rejects.toThrow('stopping');
  });

  it('waits in a bounded number, and the others are told at once that it is too much', async () => {
    filter = filterWith({ mostWaiting: 10 });
    const open = hold();
    const ten = Array.from({ length: 10 }, () => filter.wait());
    expect(filter.stats.waiting).toBe(10);
    await expect(filter.wait()).rejects.toThrow(KeyStoreUnavailableError);
    open();
    await Promise.all(ten);
    expect(filter.stats.waiting).toBe(0);
  });

  it('gets no result while the store is unavailable, and then at once', async () => {
    store.put('a');
    store.unavailable = true;
    const waits = await Promise.allSettled(Array.from({ length: 30 }, () => filter.wait()));
    expect(new Set(waits.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect(filter.wait()).rejects.toThrow(KeyStoreUnavailableError);
    expect(filter.stats.waiting).toBe(0);
    store.unavailable = false;
    await filter.wait();
    expect(knows('a')).toBe(true);
    expect(told).toEqual(['failure: KeyStoreUnavailableError: The store is unavailable.', 'recovery']);
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
