export { InMemoryApiKeyStore } from './in-memory-api-key.store.js';
export type { InMemoryBounds } from './key-records.js';
