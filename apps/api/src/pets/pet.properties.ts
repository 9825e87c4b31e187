import { applyDecorators } from '@nestjs/common';
import { IsIn, ValidateBy, ValidateIf } from 'class-validator';
import { Documented, JsonNumber } from '@petstore/http-kernel';
import { CategoryId, INT64_MAX, PetName, PetStatus } from '@petstore/pet-domain';

/**
 * Each property of an animal, declared once: what the document says of it and what a body is checked
 * against come from the same call.
 */

/** 1 to 2^63 - 1. OpenAPI types have no int64: the bound is printed digit for digit by the document's writer. */
export const INT64_SCHEMA = {
  type: 'integer',
  format: 'int64',
  minimum: 1,
  maximum: BigInt(INT64_MAX) as unknown as number,
} as const;

export function IdProperty(): PropertyDecorator {
  return Documented(({ ApiProperty }) =>
    ApiProperty({
      ...INT64_SCHEMA,
      description:
        'Unique identifier, assigned by the service on creation. A later animal has a greater one.',
      example: 42,
      readOnly: true,
    }),
  );
}

export function NameProperty(): PropertyDecorator {
  return applyDecorators(
    Documented(({ ApiProperty }) =>
      ApiProperty({
        type: String,
        minLength: 1,
        maxLength: PetName.MAX_CODE_POINTS,
        pattern: '^[^\\u0000-\\u001F\\u007F]+$',
        description: `The animal's name: 1 to ${PetName.MAX_CODE_POINTS} Unicode characters, not only white space, no control characters.`,
        example: 'Rex',
      }),
    ),
    ValidateBy(
      {
        name: 'petName',
        validator: {
          validate: (value: unknown) => typeof value === 'string' && PetName.flaw(value) === undefined,
        },
      },
      {
        message: `name must be a string of 1 to ${PetName.MAX_CODE_POINTS} Unicode characters that are not all white space, without control characters or lone surrogates`,
      },
    ),
  );
}

export function CategoryIdProperty(): PropertyDecorator {
  return applyDecorators(
    Documented(({ ApiProperty }) =>
      ApiProperty({ ...INT64_SCHEMA, description: 'Id of the category the animal belongs to.', example: 7 }),
    ),
    ValidateBy(
      { name: 'categoryId', validator: { validate: (value: unknown) => toCategoryId(value) !== undefined } },
      { message: `categoryId must be a whole number from 1 to ${INT64_MAX}` },
    ),
  );
}

export function StatusProperty(): PropertyDecorator {
  return Documented(({ ApiProperty }) =>
    ApiProperty({
      enum: PetStatus.ALL,
      enumName: 'PetStatus',
      required: false,
      description: 'Availability status; always present in answers.',
      example: PetStatus.DEFAULT,
    }),
  );
}

export function NewStatusProperty(): PropertyDecorator {
  return applyDecorators(
    Documented(({ ApiPropertyOptional }) =>
      ApiPropertyOptional({
        enum: PetStatus.ALL,
        enumName: 'PetStatus',
        default: PetStatus.DEFAULT,
        description: 'Availability status.',
        example: PetStatus.DEFAULT,
      }),
    ),
    // Left out is fine; null is not (IsOptional would let it through).
    ValidateIf((_body, value) => value !== undefined),
    IsIn(PetStatus.ALL, { message: `status must be one of ${PetStatus.ALL.join(', ')}` }),
  );
}

/** The category that a JSON value names: a number whose value is whole and in range, however it is spelt. */
export function toCategoryId(value: unknown): CategoryId | undefined {
  return value instanceof JsonNumber ? CategoryId.parse(value.toDigits() ?? '') : undefined;
}
