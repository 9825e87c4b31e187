import { expect } from '@jest/globals';
import { type KeyHash, KeyId, KeyStoreUnavailableError, UnknownKeyError } from '@petstore/api-key';
import { OrderId } from '@petstore/order-domain';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { WebhookId } from '@petstore/webhook';
import { CategoryRepository } from '../src/categories/category.repository.js';
import { known } from '../src/testing/known.js';
import { WebhookRepository } from '../src/webhooks/webhook.repository.js';
import { addOnce, categoryOf, changePet, idOf, removePet, rex } from './pet-actions.js';
import type { Stores } from './stores.js';

/** Far more than the 4 s that a call may take in tests of outages, and less than for ever. */
const IN_TIME_MS = 15_000;

const LAST_ID = '9223372036854775807';
export const NO_PET = idOf(LAST_ID);
const noCategory = categoryOf(LAST_ID);
const noOrder = known(OrderId.parse(LAST_ID));
const noWebhook = known(WebhookId.parse(LAST_ID));
const noKey = '0'.repeat(64) as KeyHash;
let tokens = 0;

export type Query = (stores: Stores) => Promise<unknown>;

/** Takes the refusal of a key that does not exist for a response. */
function unlessUnknown(error: unknown): void {
  if (!(error instanceof UnknownKeyError)) throw error;
}

/** One query of every kind that a request may need. */
export const QUERIES = {
  list: ({ pets }) => pets.list({ limit: 20 }),
  'list of a status': ({ pets }) => pets.list({ limit: 20, status: 'sold', before: NO_PET }),
  'list of a category': ({ pets }) => pets.list({ limit: 20, categoryId: rex.categoryId }),
  'pets by their ids': ({ pets }) => pets.listByIds({ ids: [NO_PET] }),
  find: ({ pets }) => pets.find(NO_PET),
  change: (stores) => changePet(stores, NO_PET, {}),
  removal: (stores) => removePet(stores, NO_PET),
  inventory: ({ petInventory }) => petInventory.count(),
  categories: ({ unitOfWork }) => unitOfWork.read((from) => from.of(CategoryRepository).list({ limit: 20 })),
  category: ({ unitOfWork }) => unitOfWork.read((from) => from.of(CategoryRepository).find(noCategory)),
  orders: ({ orders }) => orders.list({ limit: 20, visibility: { keyId: 'unknown' } }),
  order: ({ orders }) => orders.find(noOrder, { keyId: 'unknown' }),
  events: ({ eventFeed }) => eventFeed.read({ limit: 20, visibility: { resources: ['pet'] } }),
  webhooks: ({ unitOfWork }) => unitOfWork.read((from) => from.of(WebhookRepository).list('unknown')),
  deliveries: ({ deliveries }) => deliveries.list({ id: noWebhook, keyId: 'unknown', limit: 20 }),
  sequencing: ({ sequencing }) => sequencing.sequence(1),
  create: ({ pets }) => pets.create(rex),
  'create once': (stores) => addOnce(stores, rex, { caller: 'test', token: String(tokens++) }),
  'key look-up': ({ keyLookup }) => keyLookup.find(noKey),
  'keys of an operator': ({ apiKeys }) => apiKeys.isEmpty(),
  'change of a key': ({ apiKeys }) => apiKeys.change(KeyId.generate(), () => undefined).catch(unlessUnknown),
  'use of keys': ({ keyUsage }) => keyUsage.add([]),
  'history of a key': ({ keyUsage }) => keyUsage.historyOf(KeyId.generate()),
} satisfies Record<string, Query>;

/** Sends every query at once; all must succeed. */
export async function everythingWorks(stores: Stores): Promise<void> {
  await Promise.all([
    stores.database.manager.query('select 1'),
    ...Object.values(QUERIES).map((query) => query(stores)),
  ]);
}

/** Whether {@link everythingWorks}, to wait for. */
export const worksAgain = (stores: Stores): Promise<boolean> =>
  everythingWorks(stores).then(
    () => true,
    () => false,
  );

/** Sends every query at once; all must be refused as unavailable, in time. */
export async function everythingIsRefused(stores: Stores): Promise<void> {
  const since = performance.now();
  const refusals = Object.entries(QUERIES).map(async ([name, query]) => {
    const failure: unknown = await query(stores).then(
      () => 'a response',
      (error: unknown) => error,
    );
    expect({ name, failure }).toEqual({ name, failure: expect.any(Error) });
    expect([StoreUnavailableError, KeyStoreUnavailableError]).toContain((failure as Error).constructor);
  });
  await Promise.all([expect(stores.database.manager.query('select 1')).rejects.toThrow(), ...refusals]);
  expect(performance.now() - since).toBeLessThan(IN_TIME_MS);
}
