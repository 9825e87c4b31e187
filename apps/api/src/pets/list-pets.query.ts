import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';
import { ApiError, Documented, type ErrorDefinition, HTTP_ERRORS, type Swagger } from '@petstore/http-kernel';
import {
  CategoryId,
  INT64_MAX,
  PageLimit,
  PetIdList,
  type PetPageRequest,
  type PetsByIdsRequest,
  PetStatus,
} from '@petstore/pet-domain';
import { PET_ERRORS } from './pet.errors.js';
import { PetCursor } from './pet-cursor.js';
import { INT64_SCHEMA } from './pet.properties.js';

const IDS =
  'Lists these animals, all at once; those that do not exist are left out. May be combined with `status` and `categoryId`, not with `limit` or `cursor`.';
const IDS_ALONE = 'ids must not be combined with limit or cursor: all animals of the ids are listed at once.';
const OTHER_FILTER =
  'The cursor belongs to a list with another status or categoryId. Send the filters that it was given out for.';

/** What the document says of a parameter: its schema, and how a list is written. */
type DocumentedParameter = Parameters<Swagger['ApiPropertyOptional']>[0] & {
  readonly style?: 'form';
  readonly explode?: boolean;
};

/** A query parameter that may be left out, with its check and the error of its refusal. */
function Parameter(
  name: string,
  documented: DocumentedParameter,
  parse: (text: string) => unknown,
  { expected, error }: { expected: string; error: ErrorDefinition },
): PropertyDecorator {
  return applyDecorators(
    Documented(({ ApiPropertyOptional }) => ApiPropertyOptional(documented)),
    ValidateIf((_query, value) => value !== undefined),
    ValidateBy(
      // A repeated parameter arrives as an array.
      {
        name,
        validator: { validate: (value: unknown) => typeof value === 'string' && parse(value) !== undefined },
      },
      { message: `${name} must be ${expected}`, context: { error } },
    ),
  );
}

/** Query of the list as it arrived (specification, section 4.1). */
export class ListPetsQuery {
  @Parameter(
    'limit',
    {
      type: 'integer',
      format: 'int32',
      minimum: PageLimit.MIN,
      maximum: PageLimit.MAX,
      default: PageLimit.DEFAULT,
      description: 'Maximum number of animals returned.',
      example: PageLimit.DEFAULT,
    },
    (text) => PageLimit.parse(text),
    {
      expected: `a whole number from ${PageLimit.MIN} to ${PageLimit.MAX} in plain decimal digits, given once`,
      error: HTTP_ERRORS.invalid_parameter,
    },
  )
  limit?: string;

  @Parameter(
    'status',
    {
      enum: PetStatus.ALL,
      enumName: 'PetStatus',
      description: 'Filters by availability status.',
      example: 'available',
    },
    (text) => PetStatus.parse(text),
    { expected: `one of ${PetStatus.ALL.join(', ')}, given once`, error: HTTP_ERRORS.invalid_parameter },
  )
  status?: PetStatus;

  @Parameter(
    'categoryId',
    { ...INT64_SCHEMA, description: 'Filters by category.' },
    (text) => CategoryId.parse(text),
    {
      expected: `a whole number from 1 to ${INT64_MAX} in plain decimal digits, given once`,
      error: HTTP_ERRORS.invalid_parameter,
    },
  )
  categoryId?: CategoryId;

  @Parameter(
    'ids',
    {
      type: 'array',
      items: INT64_SCHEMA,
      minItems: 1,
      maxItems: PetIdList.MAX,
      style: 'form',
      explode: false,
      description: IDS,
    },
    (text) => PetIdList.parse(text),
    {
      expected: `1 to ${PetIdList.MAX} different ids in plain decimal digits with a comma between them, at most ${PetIdList.MAX_LENGTH} characters, given once`,
      error: HTTP_ERRORS.invalid_parameter,
    },
  )
  ids?: string;

  @Parameter(
    'cursor',
    {
      type: String,
      maxLength: PetCursor.MAX_LENGTH,
      pattern: '^[0-9A-Za-z_-]+$',
      description:
        'Opaque position from the Link header of the page before. Belongs to a list with the same `status` and `categoryId`.',
    },
    (text) => PetCursor.decode(text),
    { expected: 'one that this list gave out, given once', error: PET_ERRORS.invalid_cursor },
  )
  cursor?: string;

  /**
   * The page that a valid query without ids asks for.
   *
   * @throws ApiError `invalid_cursor` when the cursor is from a list with another filter
   */
  static toPageRequest({ limit, status, categoryId, cursor }: ListPetsQuery): PetPageRequest {
    const position = cursor === undefined ? undefined : PetCursor.decode(cursor);
    if (position !== undefined && (position.status !== status || position.categoryId !== categoryId))
      throw new ApiError(PET_ERRORS.invalid_cursor, { message: OTHER_FILTER });
    return {
      limit: (limit === undefined ? undefined : PageLimit.parse(limit)) ?? PageLimit.DEFAULT,
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
