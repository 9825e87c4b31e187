export { UnsuitableDatabase } from './check-server.js';
export type { DataSourceSettings } from './data-source.js';
export { Database, openDatabase, type PoolStanding } from './database.js';
