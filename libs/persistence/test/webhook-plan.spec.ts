import { describe, expect, it } from '@jest/globals';
import { DeliveryStatus } from '@petstore/webhook';
import { Client } from 'pg';
import { READ_BY_INDEX } from '../src/events/sequencing.queries.js';
import { deliveriesPage, RECOVER } from '../src/webhooks/delivery.queries.js';
import { buffersOf, explain, rowsThrownAway, describePlans } from './query-plan.js';

const EVENTS = 30_000;
const LIMIT = 21;

/** Nearly all deliveries are of the endpoint 1 and were delivered; the few others came first. */
async function fill(session: Client): Promise<void> {
  await session.query(`insert into api_keys (id, name, plan, scopes, created_at)
    values ('key', 'test', 'free', '{webhooks:manage}', now())`);
  await session.query(`insert into webhooks (key_id, url, status)
    select 'key', 'https://' || n || '.example/', 'enabled' from generate_series(1, 3) n`);
  await session.query(
    `insert into webhook_deliveries (webhook_id, position, type, status)
     select case when n <= 500 then 2 else 1 end, n, 'pet.updated',
       case when n % 1000 = 0 then 'failed' else 'delivered' end
     from generate_series(1, $1::int) n`,
    [EVENTS],
  );
  await session.query(
    `insert into events (position, type, resource, json, happened_at)
     select n, 'pet.updated', 'pet', '{}', now() from generate_series(1, $1::int) n`,
    [EVENTS],
  );
}

const requests = [undefined, ...DeliveryStatus.ALL].flatMap((status) =>
  ['1', '2', '3'].flatMap((endpoint) =>
    ['9223372036854775807', '15000', '300'].map((before) => ({ status, endpoint, before })),
  ),
);

const server = describePlans(fill, 'webhook_deliveries, events', (session) => {
  it.each(requests)(
    'a page of endpoint $endpoint that is $status, before $before, is read from one index',
    async ({ status, endpoint, before }) => {
      const values = [endpoint, String(LIMIT), before, 'key'];
      const plan = await explain(session(), [deliveriesPage(status), values]);
      const read = plan.filter((node) => node['Relation Name'] === 'webhook_deliveries');
      for (const node of read) expect(node['Index Name']).toBe('webhook_deliveries_list');
      expect(read).toHaveLength(status === undefined ? DeliveryStatus.ALL.length : 1);
      expect(rowsThrownAway(read)).toBe(0);
      // One way down the index for each status, and the rows themselves: the same at any depth.
      expect(buffersOf(plan)).toBeLessThan(read.length * (LIMIT + 12));
    },
  );
});

describe('a range of a recovery', () => {
  it('reads no more rows than it has positions', async () => {
    const session = new Client(server().url);
    await session.connect();
    await session.query(READ_BY_INDEX);
    const RANGE = 5_000;
    for (const endpoint of ['1', '2', '3']) {
      await session.query('begin');
      const values = [endpoint, '40000', 40_000 + RANGE, 10_000, ['pet', 'category', 'order'], null];
      const plan = await explain(session, [{ name: 'recover', text: RECOVER }, values]);
      const read = plan.filter((node) => node['Relation Name'] !== undefined);
      for (const node of read) {
        expect(node['Node Type']).not.toBe('Seq Scan');
        expect(node['Actual Rows']).toBeLessThanOrEqual(RANGE);
        expect(node['Rows Removed by Filter'] ?? 0).toBeLessThanOrEqual(RANGE);
      }
      await session.query('rollback');
    }
    await session.end();
  });
});
