import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Client, Reply } from './client.js';
import { expectError } from './contract.js';
import { runService, type RunningService } from './running-service.js';
import { addPet, ORDERS } from './shop.js';

/** The moment at which the first of them commits is met by one in some twenty rounds. */
const ROUNDS = 100;
const TWINS = 20;

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService({ MAX_OPEN_ORDERS_PER_KEY: '1000' });
  client = await running.client();
});
afterAll(() => running.close());

it.each<[string, string, (round: number) => object | Promise<object>]>([
  ['createPet', '/v1/pets', () => ({ name: 'Rex', categoryId: 7 })],
  ['createCategory', '/v1/categories', (round) => ({ name: `Category ${round}` })],
  ['placeOrder', ORDERS, async () => ({ petId: await addPet(client) })],
])(
  'the same %s many times at once is carried out once, and no twin is taken for another request',
  async (operation, path, inputOf) => {
    for (let round = 0; round < ROUNDS; round++) {
      const body = await inputOf(round);
      const send = (): Promise<Reply> =>
        client.post(path, body, { headers: { 'Idempotency-Key': `${operation}-${round}` } });
      const replies = await Promise.all(Array.from({ length: TWINS }, send));
      const created = replies.filter(({ status }) => status === 201);
      expect(new Set(created.map(({ text }) => text)).size).toBe(1);
      expect(created.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
      for (const reply of replies) if (reply.status !== 201) expectError(reply, 'idempotency_in_progress');
      expect(await send()).toMatchObject({
        status: 201,
        text: created[0]?.text,
        headers: { 'idempotent-replayed': 'true' },
      });
    }
  },
  120_000,
);
