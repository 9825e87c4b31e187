import { expect } from '@jest/globals';
import { type KeyHash, KeyStoreUnavailableError } from '@petstore/api-key';
import { OrderId } from '@petstore/order-domain';
import {
  CategoryId,
  type NewPet,
  PetId,
  PetName,
  type PetStatus,
  StoreUnavailableError,
} from '@petstore/pet-domain';
import type { Database } from '../src/database/database.js';
import type { OrderRules } from '../src/order/order-rules.js';
import { known } from '../src/testing/known.js';
import { addOnce } from './add-once.js';

/** The longest that anything may take, in milliseconds: 1.4 s, and what a busy machine adds. */
export const LATEST = 1_900;

export const rex: NewPet = {
  name: known(PetName.parse('Rex')),
  categoryId: known(CategoryId.parse('1')),
  status: 'available',
};

/** Rex, in a category and state. */
export const rexOf = (category: string, status: PetStatus = 'available'): NewPet => ({
  ...rex,
  status,
  categoryId: known(CategoryId.parse(category)),
});

export const nobody = known(PetId.parse('9223372036854775807'));
const nobodysCategory = known(CategoryId.parse('9223372036854775807'));
const nobodysOrder = known(OrderId.parse('9223372036854775807'));
const RULES: OrderRules = { mostOpen: 100, holdHours: 72, pickupHours: 336 };
const unknownKey = '0'.repeat(64) as KeyHash;
let tokens = 0;

/** One question of every kind that a request may ask. */
export const QUESTIONS: readonly (readonly [string, (database: Database) => Promise<unknown>])[] = [
  ['list', ({ pets }) => pets.list({ limit: 20 })],
  ['list of a status', ({ pets }) => pets.list({ limit: 20, status: 'sold', before: nobody })],
  ['list of a category', ({ pets }) => pets.list({ limit: 20, categoryId: rex.categoryId })],
  ['animals by their ids', ({ pets }) => pets.listByIds({ ids: [nobody] })],
  ['find', ({ pets }) => pets.find(nobody)],
  ['change', ({ pets }) => pets.change(nobody, (pet) => pet)],
  ['removal', ({ pets }) => pets.remove(nobody)],
  ['inventory', ({ petInventory }) => petInventory.count()],
  ['categories', ({ categories }) => categories.list({ limit: 20 })],
  ['category', ({ categories }) => categories.find(nobodysCategory)],
  ['removal of a category', ({ categories }) => categories.remove(nobodysCategory, () => undefined)],
  ['orders', (database) => database.orders(RULES).list({ limit: 20, reach: 'all' })],
  ['order', (database) => database.orders(RULES).find(nobodysOrder, { keyId: 'key_of_nobody' })],
  ['action', (database) => database.orders(RULES).act({ id: nobodysOrder, action: 'cancel', reach: 'all' })],
  ['expiry', (database) => database.orders(RULES).expire(1)],
  ['events', ({ eventFeed }) => eventFeed.read({ limit: 20, orders: 'all' })],
  ['sequencing', ({ sequencing }) => sequencing.sequence(1)],
  ['add', ({ pets }) => pets.add(rex)],
  ['addition once', (database) => addOnce(database, rex, { caller: 'test', token: String(tokens++) })],
  ['key look-up', ({ keyLookup }) => keyLookup.find([unknownKey])],
  ['hashes of keys', ({ keyHashes }) => keyHashes.page(undefined, 100)],
  ['hashes that were added', ({ keyHashes }) => keyHashes.since('1:1:')],
  ['keys of an operator', ({ apiKeys }) => apiKeys.isEmpty()],
  ['use of keys', ({ keyUsage }) => keyUsage.add([])],
];

/** Asks everything at once; all of it must succeed. */
export async function everythingWorks(database: Database): Promise<void> {
  await Promise.all([database.ping(), ...QUESTIONS.map(([, ask]) => ask(database))]);
}

/** Asks everything at once; all of it must be refused within so many milliseconds. */
export async function everythingIsRefused(database: Database, within: number): Promise<void> {
  const since = performance.now();
  const refusals = QUESTIONS.map(async ([what, ask]) => {
    const failure = await ask(database).then(
      () => 'a response',
      (error: unknown) => error,
    );
    const took = performance.now() - since;
    expect({ what, failure }).toEqual({ what, failure: expect.any(Error) });
    expect([StoreUnavailableError, KeyStoreUnavailableError]).toContain((failure as Error).constructor);
    expect({ what, inTime: took <= within, took }).toMatchObject({ inTime: true });
  });
  await Promise.all([expect(database.ping()).rejects.toThrow(), ...refusals]);
}
