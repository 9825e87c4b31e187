import {
  type CallOptions,
  creationOf,
  type CreateOptions,
  preconditionsOf,
  type PutOptions,
  type WriteOptions,
} from './client-options.js';
import { toInt64 } from './json.js';
import { LARGEST_PAGE, pagesOf } from './pagination.js';
import type { Category, CategoryPage, ListCategories, NewCategory } from './resources.js';
import type { Transport } from './transport.js';

/**
 * Names for the `categoryId` of animals (`docs/contract.md`, "Categories"). Writing takes a key with `categories:write`.
 * Every method that takes an id throws a RangeError for one that is a number and not exact.
 */
export class CategoriesClient {
  constructor(private readonly transport: Transport) {}

  /** One page of categories, the greatest id first. */
  async list(query: ListCategories = {}, options: CallOptions = {}): Promise<CategoryPage> {
    const { items, next } = await this.transport.list('listCategories', '/categories', query, options);
    return { categories: items, next };
  }

  /** All pages, the greatest ids first. */
  pages(
    query: ListCategories = {},
    options: CallOptions = {},
  ): AsyncGenerator<CategoryPage, void, undefined> {
    return pagesOf('listCategories', 'categories', (page) => this.list(page, options), query);
  }

  /** All categories, the greatest id first, page after page. */
  async *all(
    query: ListCategories = {},
    options: CallOptions = {},
  ): AsyncGenerator<Category, void, undefined> {
    for await (const { categories } of this.pages({ limit: LARGEST_PAGE, ...query }, options)) {
      yield* categories;
    }
  }

  /**
   * Adds a category under an id that neither a category nor an animal has, once however often the request has to be sent.
   *
   * @throws ApiError `category_name_taken`
   */
  async create(category: NewCategory, options: CreateOptions = {}): Promise<Category> {
    const call = { method: 'POST', path: '/categories', body: category, ...creationOf(options) } as const;
    return this.transport.send('createCategory', call, options);
  }

  /** @throws ApiError `category_not_found` */
  async get(id: bigint | number, options: CallOptions = {}): Promise<Category> {
    return this.transport.send('getCategory', { path: pathOf(id) }, options);
  }

  /**
   * Names an id, whether animals have it or not, or gives it another name.
   *
   * It is repeated when the outcome of an attempt is unknown. Without a condition that does no harm. With one the
   * repetition fails if the first attempt was carried out: `details.isAfterUnknownOutcome` of the error is then true.
   *
   * @throws PreconditionFailedError; ApiError `category_name_taken`
   */
  async put(id: bigint | number, category: NewCategory, options: PutOptions = {}): Promise<Category> {
    const headers = preconditionsOf(options);
    const call = { method: 'PUT', path: pathOf(id), headers, body: category } as const;
    return this.transport.send('putCategory', call, options);
  }

  /**
   * Removes a category that no animal has.
   *
   * A removal is repeated when the outcome of an attempt is unknown. If the category is gone then, the call succeeds,
   * although another client may have removed it.
   *
   * @throws PreconditionFailedError; ApiError `category_not_found`, `category_in_use`
   */
  async delete(id: bigint | number, options: WriteOptions = {}): Promise<void> {
    await this.transport.remove('deleteCategory', pathOf(id), preconditionsOf(options), options);
  }
}

function pathOf(id: bigint | number): string {
  return `/categories/${toInt64('id', id)}`;
}
