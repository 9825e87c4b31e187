import type { MigrationInterface } from 'typeorm';
import { InitialSchema1795478400000 } from './1795478400000-initial-schema.js';

/**
 * All migrations, oldest first; a name ends in the milliseconds since 1970 at which it was written. A released one is
 * never edited or removed: a later one corrects it.
 */
export const MIGRATIONS: readonly (new () => MigrationInterface)[] = [InitialSchema1795478400000];
