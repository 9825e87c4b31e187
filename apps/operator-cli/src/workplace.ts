import {
  ApiKeyAdministration,
  type KeyChangeFeed,
  readOrCreatePepper,
  RedisKeyChangeFeed,
  SecretHasher,
} from '@petstore/api-key';
import { type Configuration, readConfiguration } from '@petstore/configuration';
import { openEmbeddedPostgres } from '@petstore/embedded-postgres';
import { type Database, openDatabase } from '@petstore/persistence';
import type { Terminal } from './terminal.js';

/** What a command works with. */
export interface Workplace {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly administration: ApiKeyAdministration;
}

/** Opens the database, also one that is still empty, does the work, and leaves everything as it was found. */
export async function withWorkplace<Result>(
  { environment }: Terminal,
  work: (workplace: Workplace) => Promise<Result>,
): Promise<Result> {
  const configuration = readConfiguration(environment);
  const { databaseUrl, dataDir } = configuration;
  if (databaseUrl !== undefined) return withDatabase(configuration, databaseUrl, work);
  // The running service's own server, or one that is started for this command.
  const server = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  try {
    return await withDatabase(configuration, server.url, work);
  } finally {
    await server.stop();
  }
}

async function withDatabase<Result>(
  configuration: Configuration,
  url: string,
  work: (workplace: Workplace) => Promise<Result>,
): Promise<Result> {
  const { redisUrl, dataDir, apiKeyPepper, previousApiKeyPeppers, environment } = configuration;
  const database = await openDatabase({
    url,
    applicationName: 'petstore keys',
    poolSize: 4,
    // A person waits longer than a request: a list of very many keys takes its time.
    answerWithin: 10_000,
  });
  let feed: KeyChangeFeed | undefined;
  try {
    await database.migrate();
    feed = redisUrl === undefined ? database.keyChangeFeed() : new RedisKeyChangeFeed(redisUrl);
    const pepper = apiKeyPepper ?? (await readOrCreatePepper(dataDir));
    const administration = new ApiKeyAdministration({
      repository: database.apiKeys,
      hasher: new SecretHasher(pepper, previousApiKeyPeppers),
      kind: environment === 'production' ? 'live' : 'test',
      feed,
    });
    return await work({ configuration, database, administration });
  } finally {
    await feed?.close();
    await database.close();
  }
}
