import { ConfigurationError, readConfiguration } from '@petstore/configuration';
import { openEmbeddedPostgres } from '@petstore/embedded-postgres';
import { type Database, openDatabase } from '@petstore/persistence';
import { describeError } from '../terminal/describe-error.js';
import { EXIT } from '../terminal/exit-codes.js';
import type { Terminal } from '../terminal/terminal.js';

/**
 * `npm run migrate`: brings the schema up to date and says what was needed; the exit code. The service does
 * the same whenever it starts; this is for those who want it done before the first new instance does.
 */
export async function migrate(terminal: Pick<Terminal, 'environment' | 'out' | 'err'>): Promise<number> {
  try {
    const { databaseUrl, dataDir } = readConfiguration(terminal.environment);
    const applied =
      databaseUrl === undefined ? await inDataFolder(dataDir) : await inDatabase(await open(databaseUrl));
    terminal.out(
      applied.length === 0
        ? 'The schema is up to date.\n'
        : `Applied:\n${applied.map((name) => `  ${name}\n`).join('')}`,
    );
    return EXIT.ok;
  } catch (error) {
    terminal.err(`error: ${describeError(error)}\n`);
    return error instanceof ConfigurationError ? EXIT.usage : EXIT.failure;
  }
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
  return openDatabase({ url, applicationName: 'petstore migrate', poolSize: 1 });
}

async function inDatabase(database: Database): Promise<string[]> {
  try {
    return await database.migrate();
  } finally {
    await database.close();
  }
}
