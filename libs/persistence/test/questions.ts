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
import { known } from '../src/testing/known.js';
import { addOnce } from './add-once.js';
import { changePet, removePet } from './pets.js';
import type { Stores } from './stores.js';

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
const unknownKey = '0'.repeat(64) as KeyHash;
let tokens = 0;

/** One question of every kind that a request may ask. */
export const QUESTIONS: readonly (readonly [string, (stores: Stores) => Promise<unknown>])[] = [
  ['list', ({ pets }) => pets.list({ limit: 20 })],
  ['list of a status', ({ pets }) => pets.list({ limit: 20, status: 'sold', before: nobody })],
  ['list of a category', ({ pets }) => pets.list({ limit: 20, categoryId: rex.categoryId })],
  ['animals by their ids', ({ pets }) => pets.listByIds({ ids: [nobody] })],
  ['find', ({ pets }) => pets.find(nobody)],
  ['change', ({ unitOfWork }) => changePet(unitOfWork, nobody, {})],
  ['removal', ({ unitOfWork }) => removePet(unitOfWork, nobody)],
  ['inventory', ({ petInventory }) => petInventory.count()],
  ['categories', ({ categories }) => categories.list({ limit: 20 })],
  ['category', ({ categories }) => categories.find(nobodysCategory)],
  ['orders', ({ orders }) => orders.list({ limit: 20, visibility: { keyId: 'key_of_nobody' } })],
  ['order', ({ orders }) => orders.find(nobodysOrder, { keyId: 'key_of_nobody' })],
  ['events', ({ eventFeed }) => eventFeed.read({ limit: 20, visibility: { resources: ['pet'] } })],
  ['sequencing', ({ sequencing }) => sequencing.sequence(1)],
  ['add', ({ pets }) => pets.create(rex)],
  ['addition once', (stores) => addOnce(stores, rex, { caller: 'test', token: String(tokens++) })],
  ['key look-up', ({ keyLookup }) => keyLookup.find(unknownKey)],
  ['keys of an operator', ({ apiKeys }) => apiKeys.isEmpty()],
  ['use of keys', ({ keyUsage }) => keyUsage.add([])],
];

/** Asks everything at once; all of it must succeed. */
export async function everythingWorks(stores: Stores): Promise<void> {
  await Promise.all([stores.database.ping(), ...QUESTIONS.map(([, ask]) => ask(stores))]);
}

/** Asks everything at once; all of it must be refused within so many milliseconds. */
export async function everythingIsRefused(stores: Stores, within: number): Promise<void> {
  const since = performance.now();
  const refusals = QUESTIONS.map(async ([what, ask]) => {
    const failure = await ask(stores).then(
      () => 'a response',
      (error: unknown) => error,
    );
    const took = performance.now() - since;
    expect({ what, failure }).toEqual({ what, failure: expect.any(Error) });
    expect([StoreUnavailableError, KeyStoreUnavailableError]).toContain((failure as Error).constructor);
    expect({ what, inTime: took <= within, took }).toMatchObject({ inTime: true });
  });
  await Promise.all([expect(stores.database.ping()).rejects.toThrow(), ...refusals]);
}
