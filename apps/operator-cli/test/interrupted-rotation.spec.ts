import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiKeyAdministration, type IssuedKey, KeySigner } from '@petstore/api-key';
import { PETSTORE_SCOPES } from '@petstore/api';
import { Database, PostgresApiKeyLookup, PostgresApiKeyRepository } from '@petstore/persistence';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { start } from './tool.js';

// A process takes half a second to start, and longer on a busy machine.
jest.setTimeout(120_000);

const HOUR_MS = 3_600_000;
const PEPPER = 'the pepper of these tests';
const signer = new KeySigner(PEPPER);

let server: TestPostgres;
let database: Database;
let administration: ApiKeyAdministration;
let observer: Client;
let environment: Record<string, string>;
let issued: IssuedKey;

beforeAll(async () => {
  server = await startTestPostgres();
  environment = { DATABASE_URL: server.url, API_KEY_PEPPER: PEPPER };
  database = await Database.open({ url: server.url });
  await database.migrate();
  administration = new ApiKeyAdministration({
    repository: new PostgresApiKeyRepository(database),
    signer,
    scopes: PETSTORE_SCOPES,
    kind: 'test',
  });
  observer = new Client({ connectionString: server.url });
  await observer.connect();
});
afterAll(async () => {
  await observer.end();
  await database.close();
  await server.stop();
});
beforeEach(async () => {
  issued = await administration.create({ name: 'shop', plan: 'pro' }, 'anna');
});

async function until(condition: string, over = (): boolean => false): Promise<void> {
  while (!over()) {
    const { rows } = await observer.query<{ holds: boolean }>(`select ${condition} as holds`);
    if (rows[0]?.holds === true) return;
    await sleep(2);
  }
}

const AT_WORK = `exists (select from pg_stat_activity where application_name = 'petstore keys')`;
const WAITING = 'exists (select from pg_locks where not granted)';

/** How many secrets the key has; whatever happened, one of them is in force and each has its audit entry. */
async function secretsOfWholeKey(): Promise<number> {
  const { overview, audit } = await administration.show(issued.key.id);
  const { secrets } = overview.key;
  expect(secrets.filter(({ validUntil }) => validUntil === undefined)).toHaveLength(1);
  expect(audit.map(({ action }) => action)).toEqual(['created', ...secrets.slice(1).map(() => 'rotated')]);
  const hash = signer.verify(issued.secret);
  expect(hash && (await new PostgresApiKeyLookup(database).find(hash))).toBeDefined();
  return secrets.length;
}

describe('a rotation that is killed (kill -9)', () => {
  // In the order in which a rotation comes to them: nothing written, old secret ended, new secret added.
  it.each(['api_keys', 'api_key_secrets', 'api_key_audit'])(
    'when it has come as far as the table %s leaves the old state whole',
    async (table) => {
      await observer.query(`begin; lock table ${table} in share mode`);
      const rotation = start(['rotate', issued.key.id], environment);
      const exit = once(rotation, 'exit');
      await until(WAITING);
      rotation.kill('SIGKILL');
      await exit;
      await observer.query('commit');
      await until(`not ${AT_WORK}`);
      expect(await secretsOfWholeKey()).toBe(1);
      // And the next one goes through.
      await administration.rotate(issued.key.id, HOUR_MS, 'anna');
      expect(await secretsOfWholeKey()).toBe(2);
    },
  );

  it('at any other moment leaves the old or the new state whole', async () => {
    for (let delay = 0; delay < 100; delay += 25) {
      const before = await secretsOfWholeKey();
      const rotation = start(['rotate', issued.key.id], environment);
      const exit = once(rotation, 'exit');
      // A quick one may be done before it is seen or killed: that is the new state.
      await until(AT_WORK, () => rotation.exitCode !== null);
      await sleep(delay);
      rotation.kill('SIGKILL');
      await exit;
      await until(`not ${AT_WORK}`);
      expect([before, before + 1]).toContain(await secretsOfWholeKey());
    }
  });
});
