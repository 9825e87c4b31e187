import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type PetStoreProcess, startPetStore } from '@petstore/test-servers';
import { PetStoreClient } from '../src/index.js';

let store: PetStoreProcess;

beforeAll(async () => {
  store = await startPetStore();
}, 90_000);
afterAll(() => store.stop());

it('shows the key of the client and its use, in numbers', async () => {
  const apiKey = await store.issueKey(['--plan', 'free', '--scopes', 'pets:read']);
  const client = new PetStoreClient({ baseUrl: `${store.origin}/v1`, apiKey });
  for (const end = Date.now() + 20_000; ;) {
    const { keyId, plan, scopes, limits, days } = await client.usage();
    expect(keyId).toMatch(/^key_/);
    expect({ plan, scopes, limits }).toEqual({
      plan: 'free',
      scopes: ['pets:read'],
      limits: { perMinute: 60, perDay: 1_000 },
    });
    const [today] = days;
    if (today !== undefined) {
      expect(today).toEqual({
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        requests: expect.any(Number),
        refused: 0,
      });
      return;
    }
    if (Date.now() > end) throw new Error('No use has been written down.');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
});
