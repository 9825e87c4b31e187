import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Subscriptions } from './subscriptions.js';

let shop: Subscriptions;
beforeAll(async () => {
  shop = await Subscriptions.open();
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.reset();
  await shop.key('key_1');
});

describe('a claim without room for all that is due', () => {
  it('takes those first whose endpoint has the fewest, however long those of others have waited', async () => {
    const [busy, quiet] = [
      await shop.endpoint('key_1'),
      await shop.endpoint('key_1', { types: ['pet.deleted'] }),
    ];
    await shop.updates(40);
    await shop.happen(['pet.deleted']);
    const places = new Map([
      [busy, 4],
      [quiet, 32],
    ]);
    const first = await shop.claim({ most: 1, places, held: new Map([[busy, 28]]) });
    expect(first.deliveries.map(({ webhookId }) => webhookId)).toEqual([quiet]);
    expect((await shop.claim({ most: 2, places })).deliveries.map(({ messageId }) => messageId)).toEqual([
      'evt_1',
      'evt_2',
    ]);
  });

  it('takes a bounded number of endpoints that are not known, and all the same of those that are', async () => {
    for (let n = 0; n < 5; n++) await shop.endpoint('key_1');
    const known = await shop.endpoint('key_1');
    await shop.updates(3);
    const request = { places: new Map([[known, 2]]), otherPlaces: 1, mostOthers: 3 };
    const { deliveries } = await shop.claim(request);
    expect(deliveries.filter(({ webhookId }) => webhookId === known)).toHaveLength(2);
    expect(new Set(deliveries.map(({ webhookId }) => webhookId)).size).toBe(4);
    expect(deliveries).toHaveLength(5);
  });
});
