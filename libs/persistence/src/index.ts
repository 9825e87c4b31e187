export { UnsuitableDatabase } from './check-server.js';
export type { DataSourceSettings } from './data-source.js';
export { Database, openDatabase } from './database.js';
