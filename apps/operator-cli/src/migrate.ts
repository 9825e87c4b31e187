import { createMigrateProgram } from './migrate.program.js';
import { main } from './run.js';

await main(createMigrateProgram);
