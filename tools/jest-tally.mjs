import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes how many tests of a project, or of a shard of it, passed and failed; Nx keeps the file with the result of the
 * run.
 */
export default class JestTally {
  constructor({ rootDir, shard }) {
    this.folder = join(rootDir, '.cache');
    this.name = shard === undefined ? 'tests' : `tests-${shard.shardIndex}-of-${shard.shardCount}`;
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    mkdirSync(this.folder, { recursive: true });
    const tally = { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
    writeFileSync(join(this.folder, `${this.name}.json`), JSON.stringify(tally));
  }
}
