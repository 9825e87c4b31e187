export { connectToRunning, openEmbeddedPostgres } from './connect.js';
export { EmbeddedPostgresError } from './embedded-postgres.error.js';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start.js';
