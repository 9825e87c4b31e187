import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiKeyFilter } from './api-key-filter.js';
import type { ApiKeyFilterSettings } from './api-key-filter.options.js';
import type { HashDelta } from './api-key-hash.source.js';
import { KeyStoreUnavailableError } from '../key/key-store-unavailable.error.js';
import type { StubKeyStore } from '../testing/stub-key-store.js';
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
    store.unavailable = true;
    filter = filterWith({ refreshEvery: 20 });
    await filter.start();
    expect(knows('a')).toBe(false);
    await expect(filter.wait()).rejects.toThrow(KeyStoreUnavailableError);
    store.unavailable = false;
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
    store.unavailable = true;
    await expect(filter.wait()).rejects.toThrow();
    store.unavailable = false;
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

  it('everything is read before any caller gets a result', async () => {
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
    await expect(filter.wait()).rejects.toThrow(KeyStoreUnavailableError);
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
    await expect(waiting).rejects.toThrow(KeyStoreUnavailableError);
    await closing;
    await expect(filter.wait()).rejects.toThrow('stopping');
    const { reads } = store;
    await sleep(2 * REFRESH_GAP_MS);
    expect(store.reads).toBe(reads);
  });
});
