export { connectToRunning, type OpenedPostgres, openEmbeddedPostgres } from './connect.js';
export { PepperFileError, readOrCreatePepper } from './data-folder/pepper-file.js';
export { EmbeddedPostgresError, type EmbeddedPostgresFailure } from './embedded-postgres.error.js';
export type { EmbeddedPostgresObserver } from './server/restarting-server.js';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.js';
