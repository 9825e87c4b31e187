export { startTestPostgres, type TestPostgres } from './postgres.js';
export { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';
