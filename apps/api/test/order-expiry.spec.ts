import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Postgres } from 'pg';
import type { Client } from './client.js';
import { expectError } from './contract.js';
import { Program } from './program.js';
import { runService, type RunningService } from './running-service.js';
import { act, orderOf, ORDERS, place, statusOf } from './shop.js';
import { until } from './until.js';

const ORDERS_DUE = 2_000;

let running: RunningService;
let client: Client;
let sql: Postgres;
const programs: Program[] = [];

beforeAll(async () => {
  // This instance lets nothing expire: others do, as far as a test says.
  running = await runService({ ORDER_HOLD_HOURS: '0.001', WORKER: 'off' });
  client = await running.client();
  sql = new Postgres(running.postgres.url);
  await sql.connect();
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL');
});
afterAll(async () => {
  await sql.end();
  await running.close();
});

async function number(query: string): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(`select count(*)::int as n from ${query}`);
  return rows[0]?.n ?? NaN;
}

async function worker(): Promise<Program> {
  const { environment } = running;
  const program = new Program('/nonexistent', { ...environment, WORKER: 'on' });
  programs.push(program);
  return program.started();
}

describe('an order whose time is up', () => {
  it('can only expire, even before somebody comes to that, and does so after a restart', async () => {
    const { id, petId, expiresAt = '' } = await place(client);
    await sleep(Math.max(0, Date.parse(expiresAt) - Date.now() + 50));
    for (const action of ['approve', 'cancel', 'decline']) {
      const late = await act(client, id, action);
      expectError(late, 'invalid_order_transition');
      expect(late.text).toContain('The time of this order is up: it can only expire.');
    }
    expect(orderOf(await client.get(`${ORDERS}/${id}`)).status).toBe('placed');
    const program = await worker();
    await until(async () => orderOf(await client.get(`${ORDERS}/${id}`)).status === 'expired');
    expect(await statusOf(client, petId)).toBe('available');
    expect(orderOf(await client.get(`${ORDERS}/${id}`))).not.toHaveProperty('expiresAt');
    expect((await place(client, petId)).status).toBe('placed');
    expect(await program.end()).toBe(0);
  });
});

describe('a process that is killed while orders expire', () => {
  it('leaves each of them as it was or ended, with its animal and events, and others go on', async () => {
    await sql.query('truncate orders, outbox, events, pets; update event_head set position = 0, first = 0');
    await sql.query(
      `with added as (
         insert into pets (name, category_id, status) select 'Pet', 7, 'pending' from generate_series(1, $1::int) returning id
       )
       insert into orders (pet_id, key_id, status, expires_at)
       select added.id, api_keys.id, 'placed', now() from added, (select id from api_keys limit 1) api_keys`,
      [ORDERS_DUE],
    );
    let kills = 0;
    for (let left = ORDERS_DUE; left > 0;) {
      const program = await worker();
      await until(async () => (await number(`orders where status = 'placed'`)) < left);
      if (kills < 2) {
        await program.end('SIGKILL');
        // As if the lease of the one that was killed had ended.
        await sql.query(`update scheduled_jobs set leased_until = now(), next_run_at = now()`);
        kills++;
      } else await until(async () => (await number(`orders where status = 'placed'`)) === 0);
      left = await number(`orders where status = 'placed'`);
      expect(
        await number(
          `orders join pets on pets.id = pet_id where (orders.status = 'placed') <> (pets.status = 'pending')`,
        ),
      ).toBe(0);
    }
    expect(kills).toBeGreaterThan(0);
    await until(async () => (await number('outbox')) === 0);
    for (const type of ['order.expired', 'pet.updated']) {
      expect(await number(`events where type = '${type}'`)).toBe(ORDERS_DUE);
      const id = type === 'pet.updated' ? `'pet' ->> 'id'` : `'order' ->> 'id'`;
      expect(
        await number(
          `(select distinct json::json -> 'data' -> ${id} from events where type = '${type}') told`,
        ),
      ).toBe(ORDERS_DUE);
    }
  });
});
