export type { DataSourceSettings } from './data-source.js';
export { Database, type PoolStanding } from './database.js';
export { openDatabase } from './open-database.js';
export { LoopTimer } from './server/loop-timer.js';
export { DatabaseStartError } from './start-error.js';
