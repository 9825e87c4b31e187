import { createWebhooksProgram } from './webhooks/webhooks.program.js';
import { main } from './run.js';

await main(createWebhooksProgram);
