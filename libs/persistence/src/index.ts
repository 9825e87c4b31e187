export { DatabaseStartError } from './connection/database-start.error.js';
export { LoopTimer } from './connection/loop-timer.js';
export { Database, openDatabase } from './database/database.js';
export type { PoolStats } from './database/database-connection.js';
export type { DataSourceSettings } from './schema/data-source.js';
