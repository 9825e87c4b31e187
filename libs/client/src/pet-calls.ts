import {
  type CallOptions,
  callSettings,
  type CreateOptions,
  preconditionsOf,
  type WriteOptions,
} from './client-options.js';
import { creationSettings } from './creation.js';
import { toInt64 } from './int64.js';
import { type ListPets, listSearch, type NewPet, type PetPatch } from './pet.js';
import { searchOf } from './search.js';
import type { Call } from './transport.js';

/** Each operation on animals as the transport sends it. All throw a RangeError for an id that is not exact. */
export const PET_CALLS = {
  list: (query: ListPets, options: CallOptions): Call => ({
    operation: 'listPets',
    method: 'GET',
    path: `/pets${listSearch(query)}`,
    repeatable: true,
    ...callSettings(options),
  }),

  create: (pet: NewPet, options: CreateOptions): Call => ({
    operation: 'createPet',
    method: 'POST',
    path: '/pets',
    body: { ...pet, categoryId: toInt64('categoryId', pet.categoryId) },
    ...creationSettings(options),
    ...callSettings(options),
  }),

  get: (id: bigint | number, options: CallOptions): Call => ({
    operation: 'getPet',
    method: 'GET',
    path: pathOf(id),
    repeatable: true,
    ...callSettings(options),
  }),

  update: (id: bigint | number, { categoryId, ...others }: PetPatch, options: WriteOptions): Call => ({
    operation: 'updatePet',
    method: 'PATCH',
    path: pathOf(id),
    headers: { 'Content-Type': 'application/merge-patch+json', ...preconditionsOf(options) },
    body: categoryId === undefined ? others : { ...others, categoryId: toInt64('categoryId', categoryId) },
    repeatable: true,
    ...callSettings(options),
  }),

  delete: (id: bigint | number, options: WriteOptions): Call => ({
    operation: 'deletePet',
    method: 'DELETE',
    path: pathOf(id),
    headers: preconditionsOf(options),
    hasNoContent: true,
    repeatable: true,
    ...callSettings(options),
  }),

  inventory: (categoryId: bigint | number | undefined, options: CallOptions): Call => ({
    operation: 'getInventory',
    method: 'GET',
    path: `/store/inventory${searchOf({
      categoryId: categoryId === undefined ? undefined : toInt64('categoryId', categoryId),
    })}`,
    repeatable: true,
    ...callSettings(options),
  }),
};

function pathOf(id: bigint | number): string {
  return `/pets/${toInt64('id', id)}`;
}
