import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Receiver } from '@petstore/test-servers';
import type { Client } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { allPets, EventReader, replay, type ToldPet } from '../support/event-reader.js';
import { Program } from '../support/program.js';
import { runService, type RunningService } from '../support/running-service.js';
import { act, orderOf, ORDERS, place, statusOf } from '../support/shop.js';
import { until } from '../support/until.js';
import { Writers } from '../support/writers.js';

/** Deliveries that one process may have claimed for an endpoint and not written down when it is killed. */
const MAX_CLAIMED = 16;
/** What an event tells of. */
type Told = Readonly<Partial<Record<'order' | 'pet', { readonly id: number; readonly status: string }>>>;

/** Processes start slowly on a busy machine. */
const TIMEOUT_MS = 120_000;

let running: RunningService;
/** To an instance that lives on, and does nothing but serve. */
let client: Client;
const programs: Program[] = [];
let writers: Writers | undefined;
const following = { isOn: false };
let receivers: readonly Receiver[] = [];

beforeAll(async () => {
  running = await runService({ WORKER: 'off', WEBHOOK_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  client = await running.client();
});
afterEach(async () => {
  following.isOn = false;
  writers?.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  for (const program of programs.splice(0)) await program.end('SIGKILL');
});
afterAll(() => running.close());

/** Another process on the same servers, which also does what no request waits for. */
function start(): Promise<Program> {
  const program = new Program('/nonexistent', { ...running.environment, WORKER: 'on' });
  programs.push(program);
  return program.started();
}

const sql = <T>(text: string): Promise<T[]> => running.database.manager.query<T[]>(text);
const count = async (rows: string): Promise<number> =>
  (await sql<{ n: number }>(`select count(*)::int as n from ${rows}`))[0]?.n ?? NaN;
const byId = (pets: Iterable<ToldPet>): ToldPet[] =>
  [...pets].sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)));

it(
  'the feed of two instances is whole and in order, and all writes are there once, whatever is killed',
  async () => {
    const pair = await Promise.all([start(), start()]);
    writers = new Writers({
      origins: () => pair.map(({ origin }) => origin),
      key: await running.issueKey(),
      prefix: 'Fire',
      clients: 6,
      alsoChange: true,
    });
    await writers.wrote(40);
    const reader = new EventReader(client);
    await reader.synchronise();
    following.isOn = true;
    const followed = (async () => {
      while (following.isOn) await reader.follow().catch(() => sleep(20));
    })();
    await pair[0].end('SIGKILL');
    await running.postgres.kill();
    await running.postgres.start();
    pair[0] = await start();
    await writers.wrote(40);
    await pair[1].end('SIGKILL');
    await writers.wrote(40);
    await writers.finish();
    await until(async () => (await count('outbox')) === 0, TIMEOUT_MS);
    following.isOn = false;
    await followed;
    while (await reader.follow());

    const pets = byId(await allPets(client));
    expect(byId(reader.pets.values())).toEqual(pets);
    // From the beginning there are no gaps, no repetitions, and for each animal one change follows from another.
    const whole = new EventReader(client);
    while (await whole.follow());
    const last = await client.get('/v1/events?after=latest');
    expect(last.headers['link']).toContain(`after=${whole.events.length}>`);
    expect(byId(replay(whole.events).values())).toEqual(pets);
    // Each acknowledged animal is there once, unless its removal was asked for; no other one is.
    const paths = new Set(pets.map(({ id }) => `/v1/pets/${id}`));
    const { added, removed } = writers;
    const lost = [...added.keys()].filter((path) => !paths.has(path) && !removed.has(path));
    const unknown = [...paths].filter((path) => !added.has(path) || removed.get(path) === true);
    expect({ lost, unknown }).toEqual({ lost: [], unknown: [] });
    const counts = { available: 0, pending: 0, sold: 0 };
    for (const { status } of pets) counts[status as keyof typeof counts]++;
    expect(JSON.parse((await client.get('/v1/store/inventory')).text)).toEqual(counts);
  },
  TIMEOUT_MS,
);

it(
  'orders that are due expire once, and each webhook gets every event, whichever worker is killed',
  async () => {
    const due = 50;
    const overdue = await place(client);
    await sql(
      `with added as (
       insert into pets (name, category_id, status) select 'Due', 7, 'pending' from generate_series(2, ${due}) returning id
     )
     insert into orders (pet_id, key_id, status, expires_at)
     select added.id, key_id, 'placed', now() from added, orders`,
    );
    await sql('update orders set expires_at = now()');
    // Nothing else can happen to them any more.
    for (const action of ['approve', 'cancel', 'decline']) {
      const late = await act(client, overdue.id, action);
      expectError(late, 'invalid_order_transition');
      expect(late.text).toContain('The time of this order is up: it can only expire.');
    }
    expect(orderOf(await client.get(`${ORDERS}/${overdue.id}`)).status).toBe('placed');

    receivers = await Promise.all([Receiver.http(), Receiver.http()]);
    for (const receiver of receivers) {
      receiver.respond = (response) => setTimeout(() => response.writeHead(204).end(), 10);
      const types = ['order.expired', 'pet.updated'];
      expect((await client.post('/v1/webhooks', { url: receiver.url(), types })).status).toBe(201);
    }
    const arrived = (): number => receivers.reduce((sum, { received }) => sum + received.length, 0);
    const placed = `orders where status = 'placed'`;
    const undelivered = `webhook_deliveries where status <> 'delivered'`;
    const kills: (() => Promise<boolean>)[] = [
      async () => (await count(placed)) < due,
      () => Promise.resolve(arrived() >= 30),
    ];
    for (const isTime of kills) {
      const program = await start();
      await until(isTime, TIMEOUT_MS);
      await program.end('SIGKILL');
      const held = `orders join pets on pets.id = pet_id where (orders.status = 'placed') <> (pets.status = 'pending')`;
      expect(await count(held)).toBe(0);
      // As if the turns of the one that was killed were over.
      await sql('update scheduled_jobs set next_run_at = now()');
      await sql(`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`);
    }
    expect((await count(undelivered)) + (await count('outbox'))).toBeGreaterThan(0);
    const program = await start();
    const left = async (): Promise<number> =>
      (await count(placed)) + (await count('outbox')) + (await count(undelivered));
    await until(async () => (await left()) === 0, TIMEOUT_MS);
    expect(await program.end()).toBe(0);

    for (const { received } of receivers) {
      const told = new Map(received.map(({ headers, body }) => [headers['webhook-id'], body]));
      const changes = [...told.values()].map((body) => {
        const { order, pet } = (JSON.parse(body) as { data: Told }).data;
        return order === undefined ? `pet ${pet?.id} ${pet?.status}` : `order ${order.id} ${order.status}`;
      });
      // The reservation of one animal, and of each order the end and the release of its animal.
      expect(told.size).toBe(1 + 2 * due);
      expect(new Set(changes).size).toBe(1 + 2 * due);
      expect(received.length).toBeLessThanOrEqual(told.size + kills.length * MAX_CLAIMED);
    }
    const expired = orderOf(await client.get(`${ORDERS}/${overdue.id}`));
    expect(expired.status).toBe('expired');
    expect(expired).not.toHaveProperty('expiresAt');
    expect(await statusOf(client, overdue.petId)).toBe('available');
    expect((await place(client, overdue.petId)).status).toBe('placed');
  },
  TIMEOUT_MS,
);
