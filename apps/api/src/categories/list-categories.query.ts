import { type CategoryPageRequest } from '@petstore/pet-domain';
import { CursorParameter } from '../lists/cursor.parameter.js';
import { LimitParameter, pageLimitOf } from '../lists/page-limit.parameter.js';
import { CategoryCursor } from './category-cursor.js';

export class ListCategoriesQuery {
  @LimitParameter('categories')
  limit?: string;

  @CursorParameter((text) => CategoryCursor.decode(text))
  cursor?: string;

  /** The page that a valid query asks for. */
  static toPageRequest({ limit, cursor }: ListCategoriesQuery): CategoryPageRequest {
    return {
      limit: pageLimitOf(limit),
      before: cursor === undefined ? undefined : CategoryCursor.decode(cursor),
    };
  }
}
