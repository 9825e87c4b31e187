import { expect, it } from '@jest/globals';
import { Registry } from '@petstore/observability';
import { watchKeyFilter } from './key-filter-metrics.js';

it('reports size and age of the filter at the time of a scrape', async () => {
  const registry = new Registry();
  const readings = { hashes: 1, ageMs: 1_500, waiting: 0 };
  watchKeyFilter(registry, () => readings);
  readings.hashes = 2;
  readings.waiting = 3;
  const text = await registry.metrics();
  expect(text).toContain('petstore_api_key_filter_hashes 2');
  expect(text).toContain('petstore_api_key_filter_age_seconds 1.5');
  expect(text).toContain('petstore_api_key_filter_waiting 3');
});
