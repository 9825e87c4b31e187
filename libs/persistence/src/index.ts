export type { DataSourceSettings } from './data-source.js';
export {
  type IdempotencyKey,
  type IdempotentRequest,
  type IdempotentResult,
  type JsonValue,
  REMEMBERED_FOR_MS,
  type StoredAnswer,
} from './idempotency/idempotent-request.js';
export { PostgresIdempotencyStore } from './idempotency/postgres-idempotency.store.js';
export { Database, type PoolStanding } from './database.js';
export { openDatabase } from './open-database.js';
export { LoopTimer } from './server/loop-timer.js';
export { DatabaseStartError } from './start-error.js';
