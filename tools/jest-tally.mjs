import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes how many tests of a project passed and failed; Nx keeps the file with the result of the run. */
export default class JestTally {
  #folder;

  constructor({ rootDir }) {
    this.#folder = join(rootDir, '.cache');
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    mkdirSync(this.#folder, { recursive: true });
    const tally = { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
    writeFileSync(join(this.#folder, 'tests.json'), JSON.stringify(tally));
  }
}
