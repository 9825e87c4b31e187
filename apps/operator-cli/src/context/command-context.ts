import {
  ApiKeyAdministration,
  type ApiKeyEventBus,
  readOrCreatePepper,
  RedisApiKeyEventBus,
  SecretHasher,
} from '@petstore/api-key';
import { type Configuration, readConfiguration } from '@petstore/configuration';
import { openEmbeddedPostgres } from '@petstore/embedded-postgres';
import { type Database, openDatabase } from '@petstore/persistence';
import { PETSTORE_SCOPES } from '@petstore/scopes';
import type { Terminal } from '../terminal/terminal.js';

/** What a command works with. */
export interface CommandContext {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly administration: ApiKeyAdministration;
}

/** Opens the database, also one that is still empty, does the work, and leaves everything as it was found. */
export async function withCommandContext<Result>(
  { environment }: Terminal,
  work: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  const configuration = readConfiguration(environment);
  const { databaseUrl, dataDir } = configuration;
  if (databaseUrl !== undefined) return withDatabase(configuration, await openForKeys(databaseUrl), work);
  // The running service's own server, or one that is started for this command.
  const server = await openEmbeddedPostgres({ dataDir, log: () => undefined }, openForKeys);
  try {
    return await withDatabase(configuration, server.session, work);
  } finally {
    await server.stop();
  }
}

function openForKeys(url: string): Promise<Database> {
  return openDatabase({
    url,
    applicationName: 'petstore keys',
    poolSize: 4,
    // A person waits longer than a request: a list of very many keys takes its time.
    answerTimeoutMs: 10_000,
  });
}

async function withDatabase<Result>(
  configuration: Configuration,
  database: Database,
  work: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  const { redisUrls, dataDir, apiKeyPepper, previousApiKeyPeppers, environment } = configuration;
  let events: ApiKeyEventBus | undefined;
  try {
    await database.migrate();
    events = redisUrls === undefined ? database.apiKeyEventBus() : new RedisApiKeyEventBus(redisUrls);
    const pepper = apiKeyPepper ?? (await readOrCreatePepper(dataDir));
    const administration = new ApiKeyAdministration({
      repository: database.apiKeys,
      hasher: new SecretHasher(pepper, previousApiKeyPeppers),
      scopes: PETSTORE_SCOPES,
      kind: environment === 'production' ? 'live' : 'test',
      events,
    });
    return await work({ configuration, database, administration });
  } finally {
    await events?.close();
    await database.close();
  }
}
