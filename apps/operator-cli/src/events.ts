import { createEventsProgram } from './events/events.program.js';
import { main } from './run.js';

await main(createEventsProgram);
