import { createEventsProgram } from './events/events.program.js';
import { run } from './run.js';
import { processTerminal } from './terminal/process-terminal.js';

process.exitCode = await run(createEventsProgram, process.argv.slice(2), processTerminal());
