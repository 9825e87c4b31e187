import type { Category } from './category.js';
import type { CategoryId } from './category-id.js';
import type { CategoryName } from './category-name.js';
import type { Transaction } from './unit-of-work.js';

/** Which categories to list: the greatest id first. */
export interface CategoryPageRequest {
  readonly limit: number;
  /** Only categories with a smaller id. */
  readonly before?: CategoryId | undefined;
}

/** One page of categories as readers get it: a JSON array in UTF-8. */
export interface CategoryPage {
  readonly json: Uint8Array;
  readonly last: CategoryId | undefined;
  readonly more: boolean;
}

/** The category that this name or key belongs to is another one. */
export class CategoryNameTakenError extends Error {
  override readonly name = 'CategoryNameTakenError';
}

/** The category cannot be removed while an animal has its id. */
export class CategoryInUseError extends Error {
  override readonly name = 'CategoryInUseError';
}

/** What a {@link CategoryStore.put} has done. */
export type PutOutcome = 'created' | 'renamed' | 'unchanged';

/**
 * Where categories are kept. The domain owns this port; an adapter implements it. Every change is kept together with
 * its event. Every method rejects with `StoreUnavailableError` when the store cannot be reached.
 */
export interface CategoryStore {
  list(request: CategoryPageRequest): Promise<CategoryPage>;
  /** The category as JSON in UTF-8; `undefined` when there is none. */
  find(id: CategoryId): Promise<Uint8Array | undefined>;
  /**
   * Adds a category with an id that neither a category nor an animal has.
   *
   * @throws {CategoryNameTakenError}
   */
  add(name: CategoryName, transaction?: Transaction): Promise<Category>;
  /**
   * Names an id: makes the category or renames it.
   *
   * @param check is given the category as it is now, `undefined` where there is none; what it throws passes unchanged
   * @throws {CategoryNameTakenError}
   */
  put(category: Category, check: (current: Category | undefined) => void): Promise<PutOutcome>;
  /**
   * Removes a category.
   *
   * @param check see {@link put}
   * @returns whether there was one
   * @throws {CategoryInUseError}
   */
  remove(id: CategoryId, check: (current: Category) => void): Promise<boolean>;
}
