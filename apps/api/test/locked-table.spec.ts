import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client as Session } from 'pg';
import { expectError } from './contract.js';
import { type RunningService, runService } from './running-service.js';
import { madeUpKey } from './made-up-key.js';

const REX = { name: 'Rex', categoryId: 7 };
/** Rounds of requests while the table is locked. */
const ROUNDS = 3;

let running: RunningService;
let admin: Session;

beforeAll(async () => {
  running = await runService();
  admin = new Session(running.postgres.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await running.close();
});

it('fails the requests that need a locked table, and no others', async () => {
  const client = await running.client();
  expect((await client.post('/v1/pets', REX)).status).toBe(201);
  await admin.query('begin; lock table pets in access exclusive mode');
  for (let round = 0; round < ROUNDS; round++) {
    const refused = Array.from({ length: 30 }, (_, n) => [
      client.get(`/v1/pets?limit=${n + 1}`),
      client.get(`/v1/pets/${n + 1}`),
      client.post('/v1/pets', REX),
      client.post('/v1/pets', REX, { headers: { 'Idempotency-Key': `locked-${round}-${n}` } }),
    ]).flat();
    // A key on its very first use is looked up; one that there is not is refused, not failed.
    for (let n = 0; n < 5; n++) {
      const stranger = await running.client();
      expectError(await stranger.get('/v1/nothing'), 'route_not_found');
      expectError(await client.with(madeUpKey()).get('/v1/pets'), 'invalid_api_key');
      const ready = await client.get('/readyz');
      expect(ready).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    }
    for (const reply of await Promise.all(refused)) {
      expectError(reply, 'service_unavailable');
      expect(reply.headers['retry-after']).toBe('1');
    }
  }
  await admin.query('rollback');
  expect((await client.get('/v1/pets')).status).toBe(200);
  expect((await client.post('/v1/pets', REX)).status).toBe(201);
});
