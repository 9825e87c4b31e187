import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Receiver } from '@petstore/test-servers';
import { SecretSealer, WebhookSecret } from '@petstore/webhook';
import { Client as Session } from 'pg';
import { Webhook } from 'standardwebhooks';
import { Client } from './client.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

const SECRET = WebhookSecret.generate();

let running: RunningService;
let session: Session;
let receiver: Receiver;
let client: Client;

beforeAll(async () => {
  running = await runService({
    WEBHOOK_HTTP: 'on',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    OPS_PORT: '0',
  });
  // The first key is the one with endpoints.
  await running.issueKey();
  session = new Session(running.postgres.url);
  await session.connect();
});
afterAll(async () => {
  await session.end();
  await running.close();
});
beforeEach(async () => {
  receiver = await Receiver.http();
  client = await running.client();
});
afterEach(async () => {
  await session.query('truncate webhooks cascade');
  await receiver.close();
});

/** An endpoint of a key that may have endpoints; its secret is sealed as the service does. */
async function addEndpoint(url: string): Promise<void> {
  const { API_KEY_PEPPER: pepper = '' } = running.environment;
  await session.query(
    `with key as (
       update api_keys set scopes = '{pets:read,webhooks:manage}'
       where id = (select id from api_keys order by created_at limit 1) returning id
     ), webhook as (insert into webhooks (key_id, url, status) select id, $1, 'enabled' from key returning id)
     insert into webhook_secrets (webhook_id, sealed) select id, $2 from webhook`,
    [url, new SecretSealer(pepper).seal(SECRET)],
  );
}
const addPet = async (name: string, by = client): Promise<void> => {
  expect((await by.post('/v1/pets', { name, categoryId: 1 })).status).toBe(201);
};

const deliveries = async (): Promise<readonly object[]> =>
  (await session.query<object>('select status, attempts from webhook_deliveries order by id')).rows;

it('delivers what happens, signed, and counts it', async () => {
  await addEndpoint(receiver.url());
  await addPet('Rex');
  await until(() => receiver.received.length > 0);
  const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
  expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({
    type: 'pet.created',
    data: { pet: { name: 'Rex' } },
  });
  await until(async () => {
    const metrics = await (await fetch(`${running.service.management ?? ''}/metrics`)).text();
    return (
      /petstore_webhook_deliveries_total\{outcome="delivered"\} [1-9]/.test(metrics) &&
      metrics.includes('petstore_webhook_due 0')
    );
  });
  expect(await deliveries()).toEqual([{ status: 'delivered', attempts: 1 }]);
});

it('refuses what is inside, unless it is allowed', async () => {
  await addEndpoint(`http://[::1]:${receiver.port}/`);
  await addPet('Rex');
  await until(async () => {
    const { rows } = await session.query('select error from webhook_deliveries');
    return JSON.stringify(rows) === '[{"error":"refused_address"}]';
  });
});

it('ends what is under way at a shutdown, and gives back the rest', async () => {
  const other = await running.another();
  await running.service.close();
  receiver.respond = (response, { body }) => {
    if (body.includes('Rex')) response.writeHead(204).end();
    // Ends while the service does; the one after it never would.
    else if (body.includes('Max')) setTimeout(() => response.writeHead(204).end(), 500);
  };
  await addEndpoint(receiver.url());
  const at = new Client(other.origin, await running.issueKey());
  for (const [count, name] of ['Rex', 'Max', 'Leo'].entries()) {
    await addPet(name, at);
    await until(() => receiver.received.length === count + 1);
  }
  await other.close();
  expect(await deliveries()).toEqual([
    { status: 'delivered', attempts: 1 },
    { status: 'delivered', attempts: 1 },
    { status: 'pending', attempts: 0 },
  ]);
});
