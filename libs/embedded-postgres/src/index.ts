export { connectToRunning, openEmbeddedPostgres } from './connect.js';
export { PepperFileError, readOrCreatePepper } from './data-folder/pepper-file.js';
export { EmbeddedPostgresError } from './embedded-postgres.error.js';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start.js';
