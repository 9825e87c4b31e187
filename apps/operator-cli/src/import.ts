import { createImportProgram } from './import/import.program.js';
import { main } from './program.js';

await main(createImportProgram);
