import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from './client.js';
import { expectError } from './contract.js';
import { runService, type RunningService } from './running-service.js';
import { addPet, ORDERS } from './shop.js';

let running: RunningService;
let clients: Client[];

beforeAll(async () => {
  running = await runService();
  clients = await Promise.all(Array.from({ length: 10 }, () => running.client()));
});
afterAll(() => running.close());

describe.each([
  ['without', () => ({})],
  ['each with an Idempotency-Key', (n: number) => ({ 'Idempotency-Key': `contender-${n}` })],
] as [string, (n: number) => Record<string, string>][])(
  '200 who ask for one animal, %s',
  (_with, headersOf) => {
    it('at once: exactly one gets it, the others are told so', async () => {
      const petId = await addPet(clients[0] ?? (await running.client()));
      const replies = await Promise.all(
        clients.flatMap((client, at) =>
          Array.from({ length: 20 }, (_, n) =>
            client.post(ORDERS, { petId }, { headers: headersOf(20 * at + n) }),
          ),
        ),
      );
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect([...new Set(replies.map(({ status }) => status))].sort()).toEqual([201, 409]);
      for (const reply of replies) if (reply.status === 409) expectError(reply, 'pet_not_available');
    });
  },
);
