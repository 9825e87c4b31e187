import { describe, expect, it, beforeAll, afterAll } from '@jest/globals';
import { ApiKeyAdministration, type KeyHistory, KeyId, SecretHasher, utcDay } from '@petstore/api-key';
import type { TestPostgres } from '@petstore/test-servers';
import type { Client } from 'pg';
import { HISTORY } from '../src/api-key/key-usage-statements.js';
import { PostgresApiKeyRepository } from '../src/api-key/postgres-api-key.repository.js';
import { PostgresKeyUsageHistory } from '../src/api-key/postgres-key-usage.history.js';
import { PostgresKeyUsageStore } from '../src/api-key/postgres-key-usage.store.js';
import { endClient, openClient } from '../src/connection/pg-client.js';
import { DatabaseConnection } from '../src/database/database-connection.js';
import { openConnections } from '../src/database/open-connections.js';
import { prepareSession } from '../src/pipeline/prepare-session.js';
import { SCOPES } from '../src/testing/scopes.js';
import { startMigratedServer } from './migrated-server.js';
import { buffersOf, explain, rowsThrownAway } from './query-plan.js';

let server: TestPostgres;
let connection: DatabaseConnection;
let administration: ApiKeyAdministration;

beforeAll(async () => {
  server = await startMigratedServer();
  connection = new DatabaseConnection(await openConnections({ url: server.url }));
  administration = new ApiKeyAdministration({
    repository: new PostgresApiKeyRepository(connection.manager),
    hasher: new SecretHasher('pepper of the tests'),
    scopes: SCOPES,
    kind: 'test',
  });
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

const historyOf = (keyId: KeyId): Promise<KeyHistory> =>
  new PostgresKeyUsageHistory(connection.pipelines).of(keyId);
const issue = async (expiresAt?: Date): Promise<KeyId> =>
  (await administration.create({ name: 'shop', plan: 'free', expiresAt }, 'anna')).key.id;

describe('the history of a key', () => {
  it('is empty for one that was never used, or does not exist', async () => {
    for (const id of [await issue(), KeyId.generate()])
      expect(await historyOf(id)).toEqual({ expiresAt: undefined, days: [] });
  });

  it('has the end of the key, whether it was used or not', async () => {
    const expiresAt = '2090-01-02T03:04:05.678Z';
    const id = await issue(new Date(expiresAt));
    expect(await historyOf(id)).toEqual({ expiresAt, days: [] });
    const day = utcDay(new Date());
    await new PostgresKeyUsageStore(connection.manager).add([
      { keyId: id, day, requests: 2 ** 40, refused: 1, lastUsedAt: undefined, bannedUntil: undefined },
    ]);
    expect(await historyOf(id)).toEqual({ expiresAt, days: [{ day, requests: 2 ** 40, refused: 1 }] });
  });

  it('is read by the index, however many keys were used for however long', async () => {
    const id = await issue();
    const session: Client = await openClient(
      { connectionString: server.url },
      5_000,
      prepareSession([HISTORY]),
    );
    try {
      await session.query(
        `insert into api_keys (id, name, plan, per_minute, per_day, scopes, created_at)
         select 'key_' || lpad(n::text, 16, '0'), name, plan, per_minute, per_day, scopes, created_at
         from api_keys, generate_series(1, 200) n where id = $1`,
        [id],
      );
      await session.query(
        `insert into api_key_usage select id, (now() at time zone 'UTC')::date - n, 1, 0
         from api_keys, generate_series(0, 399) n where name = 'shop' on conflict do nothing`,
      );
      const plan = await explain(session, [HISTORY, [id]]);
      expect(rowsThrownAway(plan)).toBe(0);
      expect(buffersOf(plan)).toBeLessThan(60);
    } finally {
      await endClient(session);
    }
    expect((await historyOf(id)).days).toHaveLength(30);
  });
});
