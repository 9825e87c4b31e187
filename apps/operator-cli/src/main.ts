import { createProgram } from './keys/keys.program.js';
import { main } from './run.js';

await main(createProgram);
