import type { EntityManager } from 'typeorm';

/** Rows removed by one statement: few enough for its time limit on a slow disk. */
const BATCH = 5_000;

/**
 * Removes rows until none is left that should go; how many there were.
 *
 * @param statement a `delete` of at most `$2` rows, those older than the age `$1`
 */
export async function removeInBatches(
  manager: EntityManager,
  statement: string,
  age: number,
): Promise<number> {
  for (let total = 0; ;) {
    const [, removed] = await manager.query<[unknown, number]>(statement, [age, BATCH]);
    total += removed;
    if (removed < BATCH) return total;
  }
}
