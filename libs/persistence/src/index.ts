export { DatabaseStartError } from './connection/database-start.error.js';
export { LoopTimer } from './connection/loop-timer.js';
export { Database, openDatabase } from './database/database.js';
export type { PoolStats } from './database/database-connection.js';
export {
  type IdempotencyKey,
  type IdempotentRequest,
  type IdempotentResult,
  type JsonValue,
  REMEMBERED_FOR_MS,
  type StoredAnswer,
} from './idempotency/idempotent-request.js';
export { PostgresIdempotencyStore } from './idempotency/postgres-idempotency.store.js';
export type { DataSourceSettings } from './schema/data-source.js';
