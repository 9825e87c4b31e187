import {
  type CallOptions,
  callSettings,
  type CreateOptions,
  preconditionOf,
  type WriteOptions,
} from './client-options.js';
import { type ListPets, listSearch, type NewPet, type PetPatch, toInt64 } from './pet.js';
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

  create: (pet: NewPet, options: CreateOptions): Call => {
    const { idempotencyKey = randomKey() } = options;
    return {
      operation: 'createPet',
      method: 'POST',
      path: '/pets',
      body: { ...pet, categoryId: toInt64('categoryId', pet.categoryId) },
      headers: idempotencyKey === false ? {} : { 'Idempotency-Key': idempotencyKey },
      repeatable: idempotencyKey !== false,
      ...callSettings(options),
    };
  },

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
    headers: { 'Content-Type': 'application/merge-patch+json', ...preconditionOf(options) },
    body: categoryId === undefined ? others : { ...others, categoryId: toInt64('categoryId', categoryId) },
    repeatable: true,
    ...callSettings(options),
  }),

  delete: (id: bigint | number, options: WriteOptions): Call => ({
    operation: 'deletePet',
    method: 'DELETE',
    path: pathOf(id),
    headers: preconditionOf(options),
    hasNoContent: true,
    repeatable: true,
    ...callSettings(options),
  }),

  inventory: (categoryId: bigint | number | undefined, options: CallOptions): Call => ({
    operation: 'getInventory',
    method: 'GET',
    path: `/store/inventory${categoryId === undefined ? '' : `?categoryId=${toInt64('categoryId', categoryId)}`}`,
    repeatable: true,
    ...callSettings(options),
  }),
};

function pathOf(id: bigint | number): string {
  return `/pets/${toInt64('id', id)}`;
}

/** 128 random bits; crypto.randomUUID is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
