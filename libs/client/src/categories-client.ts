import type { Category, CategoryPage, ListCategories, NewCategory } from './category.js';
import { CATEGORY_CALLS } from './category-calls.js';
import type { CallOptions, CreateOptions, PutOptions, WriteOptions } from './client-options.js';
import { withTagOf } from './entity-tags.js';
import { isApiError } from './errors.js';
import { LARGEST_PAGE, pagesOf } from './pagination.js';
import type { Transport } from './transport.js';
import { linkParameter } from './web-link.js';

/**
 * Names for the `categoryId` of animals (`docs/contract.md`, "Categories"). Writing takes a key with `categories:write`.
 * Every method that takes an id throws a RangeError for one that is a number and not exact.
 */
export class CategoriesClient {
  constructor(private readonly transport: Transport) {}

  /** One page of categories, the greatest id first. */
  async list(query: ListCategories = {}, options: CallOptions = {}): Promise<CategoryPage> {
    const { headers, body } = await this.transport.send(CATEGORY_CALLS.list(query, options));
    return { categories: body as Category[], next: linkParameter(headers, 'cursor') };
  }

  /** All pages, the greatest ids first. */
  pages(
    query: ListCategories = {},
    options: CallOptions = {},
  ): AsyncGenerator<CategoryPage, void, undefined> {
    return pagesOf((page) => this.list(page, options), query);
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
    return withTagOf(await this.transport.send(CATEGORY_CALLS.create(category, options))) as Category;
  }

  /** @throws ApiError `category_not_found` */
  async get(id: bigint | number, options: CallOptions = {}): Promise<Category> {
    return withTagOf(await this.transport.send(CATEGORY_CALLS.get(id, options))) as Category;
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
    return withTagOf(await this.transport.send(CATEGORY_CALLS.put(id, category, options))) as Category;
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
    try {
      await this.transport.send(CATEGORY_CALLS.delete(id, options));
    } catch (error) {
      if (isApiError(error, 'category_not_found') && error.details.isAfterUnknownOutcome) return;
      throw error;
    }
  }
}
