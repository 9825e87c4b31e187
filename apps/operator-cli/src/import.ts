import { createImportProgram } from './import/import.program.js';
import { main } from './run.js';

await main(createImportProgram);
