import { createMigrateProgram } from './migrate.program.js';
import { main } from './program.js';

await main(createMigrateProgram);
