import { ApiKeyFilter } from '../filter/api-key-filter.js';
import type { ApiKeyFilterSettings } from '../filter/api-key-filter.options.js';
import { hasher, StubKeyStore } from './stub-key-store.js';

/** Milliseconds between two refreshes of the filters under test, which save none up unless a test says so. */
export const REFRESH_GAP_MS = 30;

/** Filters over one store, what they have reported, and their end. */
export class TestedFilters {
  readonly store = new StubKeyStore();
  readonly reports: string[] = [];
  private readonly filters: ApiKeyFilter[] = [];

  create(settings: Partial<ApiKeyFilterSettings> = {}): ApiKeyFilter {
    const filter = new ApiKeyFilter(this.store, {
      settings: { refreshGap: REFRESH_GAP_MS, refreshBurst: 1, ...settings },
      onFailure: (error) => this.reports.push(`failure: ${String(error)}`),
      onRecovery: () => this.reports.push('recovery'),
    });
    this.filters.push(filter);
    return filter;
  }

  async close(): Promise<void> {
    await Promise.all(this.filters.splice(0).map((filter) => filter.close()));
  }
}

/** Whether a filter knows the hash of a key. */
export function knowsKey(filter: ApiKeyFilter, key: string): boolean {
  return filter.has([hasher.hash(key)]);
}
