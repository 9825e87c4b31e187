import type { MigrationInterface } from 'typeorm';
import { InitialSchema1795478400000 } from './1795478400000-initial-schema.js';

/**
 * Every change of the schema, oldest first; the name of each ends in the milliseconds since 1970 at which it was
 * written. A change that has been released is never edited or removed: whatever is wrong with it is put right by a
 * later one.
 */
export const MIGRATIONS: readonly (new () => MigrationInterface)[] = [InitialSchema1795478400000];
