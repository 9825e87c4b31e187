import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Receiver, type Respond } from '@petstore/test-servers';
import { Client as Postgres } from 'pg';
import type { Client } from './client.js';
import { Program } from './program.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

const EVENTS = 400;
const KILLS = 3;
/** What one process may have claimed for two endpoints and not written down when it is killed. */
const MAX_CLAIMED = 32;

let running: RunningService;
let client: Client;
let sql: Postgres;
let receivers: readonly Receiver[];
const programs: Program[] = [];

const slowly: Respond = (response) => {
  setTimeout(() => response.writeHead(204).end(), 10);
};

beforeAll(async () => {
  // This instance takes requests; others deliver, as long as the test lets them.
  running = await runService({
    WORKER: 'off',
    WEBHOOK_HTTP: 'on',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  client = await running.client();
  sql = new Postgres(running.postgres.url);
  await sql.connect();
  receivers = await Promise.all([Receiver.http(), Receiver.http()]);
});
afterAll(async () => {
  for (const program of programs) await program.end('SIGKILL');
  await sql.end();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await running.close();
});

function worker(): Promise<Program> {
  const program = new Program('/nonexistent', { ...running.environment, WORKER: 'on' });
  programs.push(program);
  return program.started();
}

const arrived = (): number => receivers.reduce((sum, { received }) => sum + received.length, 0);

async function waiting(): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    `select (select count(*) from outbox)::int
       + (select count(*) from webhook_deliveries where status <> 'delivered')::int as n`,
  );
  return rows[0]?.n ?? NaN;
}

it('a process that is killed while it delivers, again and again, loses no event for any endpoint', async () => {
  for (const receiver of receivers) {
    receiver.respond = slowly;
    const { status } = await client.post('/v1/webhooks', { url: receiver.url() });
    expect(status).toBe(201);
  }
  const pets = Array.from({ length: EVENTS }, (_, n) =>
    client.post('/v1/pets', { name: `Pet ${n}`, categoryId: 1 }),
  );
  for (const { status } of await Promise.all(pets)) expect(status).toBe(201);
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = arrived();
    const program = await worker();
    await until(() => arrived() >= before + 40);
    await program.end('SIGKILL');
    expect(await waiting()).toBeGreaterThan(0);
    // As if the leases of the one that was killed had ended.
    await sql.query(`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`);
  }
  const program = await worker();
  await until(async () => (await waiting()) === 0);
  expect(await program.end()).toBe(0);
  for (const { received } of receivers) {
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(EVENTS);
    expect(ids.length).toBeLessThanOrEqual(EVENTS + KILLS * MAX_CLAIMED);
  }
}, 120_000);
