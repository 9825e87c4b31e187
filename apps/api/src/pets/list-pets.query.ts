import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';
import { Documented, type ErrorDefinition, HTTP_ERRORS, type Swagger } from '@petstore/http-kernel';
import { PageLimit, type PetPageRequest, PetStatus } from '@petstore/pet-domain';
import { PET_ERRORS } from './pet.errors.js';
import { PetCursor } from './pet-cursor.js';

/** A query parameter that may be left out, with its check and the error of its refusal. */
function Parameter(
  name: string,
  documented: Parameters<Swagger['ApiPropertyOptional']>[0],
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
    'cursor',
    {
      type: String,
      maxLength: 32,
      pattern: '^[0-9A-Za-z_-]+$',
      description:
        'Opaque position from the Link header of the page before. Belongs to a list with the same status filter.',
    },
    (text) => PetCursor.decode(text),
    { expected: 'one that this list gave out, given once', error: PET_ERRORS.invalid_cursor },
  )
  cursor?: string;

  /** The page that a valid query asks for; `undefined` when the cursor is from a list with another filter. */
  static toPageRequest({ limit, status, cursor }: ListPetsQuery): PetPageRequest | undefined {
    const position = cursor === undefined ? undefined : PetCursor.decode(cursor);
    if (position !== undefined && position.status !== status) return undefined;
    return {
      limit: (limit === undefined ? undefined : PageLimit.parse(limit)) ?? PageLimit.DEFAULT,
      status,
      before: position?.before,
    };
  }
}
