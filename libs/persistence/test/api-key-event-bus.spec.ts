import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type ApiKeyEventBus, KeyId, type ApiKeyEvent } from '@petstore/api-key';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { PostgresApiKeyEventBus } from '../src/api-keys/postgres-api-key-event-bus.js';
import { Database } from '../src/database/database.js';

let server: TestPostgres;
let database: Database;
let bus: ApiKeyEventBus;
let received: ApiKeyEvent[];

beforeEach(async () => {
  server = await startTestPostgres();
  database = await Database.open({ url: server.url });
  bus = new PostgresApiKeyEventBus(database);
  received = [];
  await bus.subscribe((one) => received.push(one));
});
afterEach(async () => {
  await bus.close();
  await database.close();
  await server.stop();
});

const event = (): ApiKeyEvent => ({ kind: 'changed', keyId: KeyId.generate() });

it('carries events to every process, the one that publishes too', async () => {
  const other = new PostgresApiKeyEventBus(database);
  const receivedThere: ApiKeyEvent[] = [];
  await other.subscribe((item) => receivedThere.push(item));
  const sent = [event(), { kind: 'unbanned', keyId: KeyId.generate() } as const];
  for (const item of sent) await bus.publish(item);
  await waitFor(() => received.length === 2 && receivedThere.length === 2);
  expect([received, receivedThere]).toEqual([sent, sent]);
  await other.close();
});

it('connects again after its connection was lost', async () => {
  const listening = `from pg_stat_activity where application_name = 'petstore key events'`;
  await database.manager.query<unknown[]>(`select pg_terminate_backend(pid) ${listening}`);
  await waitFor(async () => (await database.manager.query<unknown[]>(`select 1 ${listening}`)).length === 0);
  await waitFor(async () => {
    await bus.publish(event());
    return received.length > 0;
  });
  expect(received[0]?.kind).toBe('changed');
});

it('leaves no connection behind when it is closed', async () => {
  await bus.close();
  const query = `select 1 from pg_stat_activity where application_name = 'petstore key events'`;
  await waitFor(async () => (await database.manager.query<unknown[]>(query)).length === 0);
});
