import { createKeyProgram } from './keys/keys.program.js';
import { main } from './program.js';

await main(createKeyProgram);
