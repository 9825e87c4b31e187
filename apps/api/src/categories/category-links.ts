import { Inject, Injectable } from '@nestjs/common';
import type { CategoryId, CategoryPage, CategoryPageRequest } from '@petstore/pet-domain';
import { pageLinks } from '../lists/page-links.js';
import { API_BASE_URL } from '../operations/api-base-url.js';
import { CATEGORIES_PATH } from './categories.operations.js';
import { CategoryCursor } from './category-cursor.js';

/** Where categories and lists of them are found, as clients would write it. */
@Injectable()
export class CategoryLinks {
  private readonly categories: string;

  /** @param base `/v1`, or an absolute URL that ends in it */
  constructor(@Inject(API_BASE_URL) base: string) {
    this.categories = base + CATEGORIES_PATH;
  }

  /** Of one category; for the Location header field. */
  category(id: CategoryId): string {
    return `${this.categories}/${id}`;
  }

  /** Link header field of a page; `undefined` when it needs none. */
  page({ limit, before }: CategoryPageRequest, { last, more }: CategoryPage): string | undefined {
    return pageLinks({
      path: this.categories,
      limit,
      next: more && last !== undefined ? CategoryCursor.encode(last) : undefined,
      isFirst: before === undefined,
    });
  }
}
