import { parentInMemory } from '@petstore/testing';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';

/**
 * A {@link temporaryFolder} for data that no test keeps, in memory where there is room: making a database there
 * takes less than half the CPU time. Programs may not be executable in it.
 */
export async function memoryFolder(purpose: string): Promise<TemporaryFolder> {
  return temporaryFolder(purpose, await parentInMemory());
}
