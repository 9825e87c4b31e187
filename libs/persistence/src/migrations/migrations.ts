import { InitialSchema1795478400000 } from './1795478400000-initial-schema.js';
import type { SqlMigration } from './sql-migration.js';

/**
 * All migrations, oldest first; a name ends in the milliseconds since 1970 at which it was written. A released one
 * (docs/released/migrations.json) is never edited or removed: a later one corrects it.
 */
export const MIGRATIONS: readonly (new () => SqlMigration)[] = [InitialSchema1795478400000];

/** The fingerprint of each migration, by its name. */
export function fingerprints(): Readonly<Record<string, string>> {
  const migrations = MIGRATIONS.map((Migration) => new Migration());
  return Object.fromEntries(migrations.map(({ name, fingerprint }) => [name, fingerprint]));
}
