import { createImportProgram } from './import/import.program.js';
import { run } from './run.js';
import { processTerminal } from './terminal/process-terminal.js';

process.exitCode = await run(createImportProgram, process.argv.slice(2), processTerminal());
