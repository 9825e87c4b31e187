import type { CategoryId } from './category-id.js';

/** Which categories to list: the greatest id first. */
export interface CategoryPageRequest {
  /** Most categories in the page. */
  readonly limit: number;
  /** Only categories with a smaller id. */
  readonly before?: CategoryId | undefined;
}

/** One page of categories, as readers get it. */
export interface CategoryPage {
  /** A JSON array. */
  readonly json: string;
  /** The last category of the page; `undefined` when the page is empty. */
  readonly last: CategoryId | undefined;
  /** Whether categories with smaller ids follow. */
  readonly more: boolean;
}
