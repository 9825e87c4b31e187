export type { DataSourceSettings } from './schema/data-source.js';
export { Database, type PoolStanding } from './database.js';
export { openDatabase } from './open-database.js';
export { LoopTimer } from './connection/loop-timer.js';
export { DatabaseStartError } from './connection/database-start.error.js';
