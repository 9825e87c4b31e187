import type { Category, ListCategories, NewCategory } from './category.js';
import {
  type CallOptions,
  callSettings,
  type CreateOptions,
  preconditionsOf,
  type PutOptions,
  type WriteOptions,
} from './client-options.js';
import { creationSettings } from './creation.js';
import { toInt64 } from './int64.js';
import { searchOf } from './search.js';
import type { Call } from './transport.js';

/** Each operation on categories as the transport sends it. All throw a RangeError for an id that is not exact. */
export const CATEGORY_CALLS = {
  list: (query: ListCategories, options: CallOptions): Call => ({
    operation: 'listCategories',
    method: 'GET',
    path: `/categories${searchOf(query)}`,
    repeatable: true,
    ...callSettings(options),
  }),

  create: (category: NewCategory, options: CreateOptions): Call => ({
    operation: 'createCategory',
    method: 'POST',
    path: '/categories',
    body: category,
    ...creationSettings(options),
    ...callSettings(options),
  }),

  get: (id: Category['id'] | number, options: CallOptions): Call => ({
    operation: 'getCategory',
    method: 'GET',
    path: pathOf(id),
    repeatable: true,
    ...callSettings(options),
  }),

  put: (id: Category['id'] | number, category: NewCategory, options: PutOptions): Call => ({
    operation: 'putCategory',
    method: 'PUT',
    path: pathOf(id),
    headers: preconditionsOf(options),
    body: category,
    repeatable: true,
    ...callSettings(options),
  }),

  delete: (id: Category['id'] | number, options: WriteOptions): Call => ({
    operation: 'deleteCategory',
    method: 'DELETE',
    path: pathOf(id),
    headers: preconditionsOf(options),
    hasNoContent: true,
    repeatable: true,
    ...callSettings(options),
  }),
};

function pathOf(id: bigint | number): string {
  return `/categories/${toInt64('id', id)}`;
}
