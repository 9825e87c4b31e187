export { UnsuitableDatabase } from './check-server.js';
export type { DataSourceSettings } from './data-source.js';
export { Database, type PoolStanding } from './database.js';
export { openDatabase } from './open-database.js';
export { LoopTimer } from './server/loop-timer.js';
