export { connectToRunning, hasDatabase, openEmbeddedPostgres } from './connect.js';
export { EmbeddedPostgresError } from './embedded-postgres.error.js';
export { readOrCreatePepper } from './pepper-file.js';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start.js';
