import { createEventsProgram } from './events/events.program.js';
import { main } from './program.js';

await main(createEventsProgram);
