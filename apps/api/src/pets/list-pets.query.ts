import { ApiError, HTTP_ERRORS } from '@petstore/http-kernel';
import {
  type CategoryId,
  PetIdList,
  type PetPageRequest,
  type PetsByIdsRequest,
  PetStatus,
} from '@petstore/pet-domain';
import { CursorParameter } from '../lists/cursor.parameter.js';
import { LIST_ERRORS } from '../lists/list.errors.js';
import { CategoryIdParameter } from '../lists/category-id.parameter.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import { LimitParameter, pageLimitOf } from '../lists/page-limit.parameter.js';
import { QueryParameter } from '../lists/query-parameter.decorator.js';
import { PetCursor } from './pet-cursor.js';

const IDS =
  'Lists these animals, all at once; those that do not exist are left out. May be combined with `status` and `categoryId`, not with `limit` or `cursor`.';
const IDS_ALONE = 'ids must not be combined with limit or cursor: all animals of the ids are listed at once.';
const OTHER_FILTER =
  'The cursor belongs to a list with another status or categoryId. Send the filters that it was given out for.';

/** Query of the list as it arrived (specification, section 4.1). */
export class ListPetsQuery {
  @LimitParameter('animals')
  limit?: string;

  @QueryParameter(
    'status',
    {
      enum: PetStatus.ALL,
      enumName: 'PetStatus',
      description: 'Filters by availability status.',
      example: 'available',
    },
    { parse: (text) => PetStatus.parse(text), expected: `one of ${PetStatus.ALL.join(', ')}` },
  )
  status?: PetStatus;

  @CursorParameter((text) => PetCursor.decode(text), 'the same `status` and `categoryId`')
  cursor?: string;

  @CategoryIdParameter({ description: 'Filters by category.', 'x-since': '1.1.0' })
  categoryId?: CategoryId;

  @QueryParameter(
    'ids',
    {
      type: 'array',
      items: INT64_SCHEMA,
      minItems: 1,
      maxItems: PetIdList.MAX,
      style: 'form',
      explode: false,
      description: IDS,
      'x-since': '1.1.0',
    },
    {
      parse: (text) => PetIdList.parse(text),
      expected: `1 to ${PetIdList.MAX} different ids in plain decimal digits with a comma between them, at most ${PetIdList.MAX_LENGTH} characters`,
    },
  )
  ids?: string;

  /**
   * The page that a valid query without ids asks for.
   *
   * @throws ApiError `invalid_cursor` when the cursor is from a list with another filter
   */
  static toPageRequest({ limit, status, categoryId, cursor }: ListPetsQuery): PetPageRequest {
    const position = cursor === undefined ? undefined : PetCursor.decode(cursor);
    if (position !== undefined && (position.status !== status || position.categoryId !== categoryId))
      throw new ApiError(LIST_ERRORS.invalid_cursor, { message: OTHER_FILTER });
    return {
      limit: pageLimitOf(limit),
      status,
      categoryId,
      before: position?.before,
    };
  }

  /**
   * The animals that a valid query asks for by their ids; `undefined` when it asks for a page.
   *
   * @throws ApiError `invalid_parameter` when it asks for both
   */
  static toByIdsRequest({
    ids,
    limit,
    status,
    categoryId,
    cursor,
  }: ListPetsQuery): PetsByIdsRequest | undefined {
    if (ids === undefined) return undefined;
    if (limit !== undefined || cursor !== undefined)
      throw new ApiError(HTTP_ERRORS.invalid_parameter, { message: IDS_ALONE });
    return { ids: PetIdList.parse(ids) ?? [], status, categoryId };
  }
}
