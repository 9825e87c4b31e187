import { createWebhooksProgram } from './webhooks/webhooks.program.js';
import { main } from './program.js';

await main(createWebhooksProgram);
