import type { Command } from 'commander';
import { EXIT_HELP } from './help.js';
import type { Terminal } from './terminal.js';

const MIGRATE_HELP = `
Works on the database in DATABASE_URL (with API_KEY_PEPPER), as a role that may create tables, or on the embedded one
in PETSTORE_DATA_DIR. Run it before the first instance of a new version; instances that run go on working. Back up
first: migrations go forward only.

${EXIT_HELP}.`;

/** `npm run migrate`, for operators who migrate before the first new instance starts; the service also migrates at its start. */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('Brings the database of the Pet Store Service up to date.')
    .addHelpText('after', MIGRATE_HELP)
    .action(async () => {
      const { withDatabase } = await import('./with-database.js');
      const applied = await withDatabase(terminal, 'petstore migrate', (context) => context.applied);
      terminal.out(
        applied.length === 0
          ? 'The schema is up to date.\n'
          : `Applied:\n${applied.map((name) => `  ${name}\n`).join('')}`,
      );
    });
}
