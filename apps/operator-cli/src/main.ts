import { createProgram } from './program.js';
import { run } from './run.js';
import { processTerminal } from './terminal/process-terminal.js';

process.exitCode = await run(createProgram, process.argv.slice(2), processTerminal());
