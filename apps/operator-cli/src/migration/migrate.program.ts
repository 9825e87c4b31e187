import { readConfiguration } from '@petstore/api';
import { openEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Database } from '@petstore/persistence';
import { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.js';

const HELP = `
Works on the database in DATABASE_URL (with API_KEY_PEPPER), as a role that may create tables, or on the embedded one
in PETSTORE_DATA_DIR. Run it before the first instance of a new version; instances that run go on working. Back up
first: migrations go forward only.

Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong.`;

/**
 * The command line of the tool that brings the schema up to date and says what was needed. The service does the same
 * whenever it starts; this is for those who want it done before the first new instance does.
 */
export function createMigrateProgram(terminal: Pick<Terminal, 'environment' | 'out' | 'err'>): Command {
  return new Command('npm run migrate --')
    .description('Brings the database of the Pet Store Service up to date.')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', HELP)
    .action(() => migrate(terminal));
}

async function migrate(terminal: Pick<Terminal, 'environment' | 'out'>): Promise<void> {
  const { databaseUrl, dataDir } = readConfiguration(terminal.environment);
  const applied =
    databaseUrl === undefined ? await inDataFolder(dataDir) : await inDatabase(await open(databaseUrl));
  terminal.out(
    applied.length === 0
      ? 'The schema is up to date.\n'
      : `Applied:\n${applied.map((name) => `  ${name}\n`).join('')}`,
  );
}

async function inDataFolder(dataDir: string): Promise<string[]> {
  const server = await openEmbeddedPostgres({ dataDir, log: () => undefined }, open);
  try {
    return await inDatabase(server.session);
  } finally {
    await server.stop();
  }
}

function open(url: string): Promise<Database> {
  return Database.open({ url, applicationName: 'petstore migrate', poolSize: 1 });
}

async function inDatabase(database: Database): Promise<string[]> {
  try {
    return await database.migrate();
  } finally {
    await database.close();
  }
}
