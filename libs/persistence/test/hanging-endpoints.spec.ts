import { beforeEach, expect, it } from '@jest/globals';
import type { Receiver } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { Deliverers } from './deliverers.js';
import { TestDatabase } from './test-database.js';
import { TestWebhooks } from './test-webhooks.js';

const db = new TestDatabase();
const webhooks = new TestWebhooks(db);
const deliverers = new Deliverers(webhooks);

/** Of those that hang, at most so many are called a second in each class. */
const CALLED_A_SECOND = 100;
/** Until an endpoint that responds fast must have got its event, in seconds. */
const IN_TIME = 2;

let fast: Receiver;
let hanging: Receiver;

/** So many endpoints, ten for each key, with something due for each of them. */
async function hang(count: number): Promise<void> {
  const position = await webhooks.missed(1);
  await db.query(
    `insert into api_keys (id, name, plan, scopes, created_at)
     select 'hanging_' || n, 'test', 'free', '{webhooks:manage,pets:read}', now() from generate_series(0, $1::int / 10) n`,
    [count],
  );
  await db.query(
    `with added as (
       insert into webhooks (key_id, url, types, status, is_slow)
       select 'hanging_' || n / 10, $2 || n, '{pet.deleted}', 'enabled', true from generate_series(1, $1::int) n
       returning id
     ), secrets as (
       insert into webhook_secrets (webhook_id, sealed) select id, $4 from added
     )
     insert into webhook_deliveries (webhook_id, position, type, status, next_attempt_at)
     select id, $3, 'pet.deleted', 'pending', now() from added`,
    [count, hanging.url(), position, deliverers.seal()],
  );
}

/** Waits until one more event is received, while few of those that hang are called. */
async function receivesOne(receiver: Receiver): Promise<void> {
  const [before, called] = [receiver.received.length, hanging.received.length];
  await webhooks.updates(1);
  await waitFor(() => receiver.received.length > before);
  expect(hanging.received.length - called).toBeLessThan(IN_TIME * CALLED_A_SECOND);
}

beforeEach(async () => {
  [fast, hanging] = [await deliverers.receiver(), await deliverers.receiver()];
  hanging.respond = (): unknown => undefined;
});

it('5,000 endpoints that hang delay no fast endpoint, and no new one', async () => {
  await deliverers.endpointAt(fast);
  deliverers.start({ sender: { totalTimeoutMs: 14_000 } });
  await receivesOne(fast);
  await hang(5_000);
  await waitFor(() => hanging.received.length >= 64);
  for (let n = 0; n < 3; n++) await receivesOne(fast);
  const added = await deliverers.receiver();
  await deliverers.endpointAt(added);
  for (let n = 0; n < 3; n++) await receivesOne(added);
});
