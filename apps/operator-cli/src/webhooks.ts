import { run } from './run.js';
import { processTerminal } from './terminal/process-terminal.js';
import { createWebhooksProgram } from './webhooks/webhooks.program.js';

process.exitCode = await run(createWebhooksProgram, process.argv.slice(2), processTerminal());
