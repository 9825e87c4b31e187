import { createProgram, type ProgramFactory } from './program.js';
import { withDatabase } from './with-database.js';

const DESCRIPTION = 'Brings the database of the Pet Store Service up to date.';

const HELP = `
Works on the database in DATABASE_URL (with API_KEY_PEPPER), as a role that may create tables, or on the embedded one
in PETSTORE_DATA_DIR. Run it before the first instance of a new version; instances that run go on working. Back up
first: migrations go forward only.

Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong.`;

/**
 * The command line of `npm run migrate`, which brings the schema up to date and says what was needed. The service does
 * the same whenever it starts; this is for those who want it done before the first new instance does.
 */
export const createMigrateProgram: ProgramFactory = (terminal) =>
  createProgram('npm run migrate --', DESCRIPTION, HELP, terminal).action(async () => {
    const applied = await withDatabase(terminal, 'petstore migrate', (context) => context.applied);
    terminal.out(
      applied.length === 0
        ? 'The schema is up to date.\n'
        : `Applied:\n${applied.map((name) => `  ${name}\n`).join('')}`,
    );
  });
