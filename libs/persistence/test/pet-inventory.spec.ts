import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CategoryId } from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';

let feed: Feed;

beforeAll(async () => {
  feed = await Feed.start();
  await feed.admin.query(
    `insert into inventory (category_id, status, animals)
     values (0, 'sold', 9223372036854775807), (0, 'available', 2), (7, 'pending', 0), (7, 'available', 2)`,
  );
});
afterAll(() => feed.stop());

it.each([
  [undefined, { available: '2', pending: '0', sold: '9223372036854775807' }],
  ['7', { available: '2', pending: '0', sold: '0' }],
  ['8', { available: '0', pending: '0', sold: '0' }],
])('the inventory of category %s has every status, to the digit', async (category, expected) => {
  const id = category === undefined ? undefined : known(CategoryId.parse(category));
  expect(await feed.stores.petInventory.count(id)).toEqual(expected);
});
