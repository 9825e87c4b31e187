import { createMigrateProgram } from './migration/migrate.program.js';
import { run } from './run.js';
import { processTerminal } from './terminal/process-terminal.js';

process.exitCode = await run(createMigrateProgram, process.argv.slice(2), processTerminal());
