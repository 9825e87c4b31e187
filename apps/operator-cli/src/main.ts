import { run } from './program.js';
import { processTerminal } from './terminal.js';

const code = await run(process.argv.slice(2), processTerminal());
// A failure that was set is one of the output.
process.exitCode ??= code;
