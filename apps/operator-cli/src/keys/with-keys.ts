import { type Configuration, PETSTORE_SCOPES, readConfiguration } from '@petstore/api';
import { ApiKeyAdministration, type ApiKeyEventBus, KeySigner, RedisApiKeyEventBus } from '@petstore/api-key';
import { readOrCreatePepper } from '@petstore/embedded-postgres';
import { type Database, PostgresApiKeyEventBus, PostgresApiKeyRepository } from '@petstore/persistence';
import type { Terminal } from '../terminal/terminal.js';
import { withDatabase } from '../with-database.js';

/** What commands on keys work with. */
export interface KeysContext {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly administration: ApiKeyAdministration;
}

/** Opens what is needed, does the work, and leaves everything as it was found. */
export function withKeys<Result>(
  { environment }: Terminal,
  work: (context: KeysContext) => Promise<Result>,
): Promise<Result> {
  const configuration = readConfiguration(environment);
  return withDatabase(configuration, { applicationName: 'petstore keys' }, (database) =>
    withAdministration(configuration, database, work),
  );
}

async function withAdministration<Result>(
  configuration: Configuration,
  database: Database,
  work: (context: KeysContext) => Promise<Result>,
): Promise<Result> {
  const { redisUrls, dataDir, apiKeyPepper, previousApiKeyPeppers, environment } = configuration;
  const events: ApiKeyEventBus =
    redisUrls === undefined ? new PostgresApiKeyEventBus(database) : new RedisApiKeyEventBus(redisUrls);
  try {
    const pepper = apiKeyPepper ?? (await readOrCreatePepper(dataDir));
    const administration = new ApiKeyAdministration({
      repository: new PostgresApiKeyRepository(database),
      signer: new KeySigner(pepper, previousApiKeyPeppers),
      scopes: PETSTORE_SCOPES,
      kind: environment === 'production' ? 'live' : 'test',
      events,
    });
    return await work({ configuration, database, administration });
  } finally {
    await events.close();
  }
}
