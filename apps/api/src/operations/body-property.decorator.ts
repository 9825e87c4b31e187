import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';
import { Documented, type Swagger } from '@petstore/http-kernel';

/** How a body may give a property. */
export interface BodyPropertyRule {
  /** The value that a JSON value stands for; `undefined` when it is not allowed. */
  readonly parse: (json: unknown) => unknown;
  /** What is allowed, as a refusal says it: "name must be ...". */
  readonly expected: string;
  /** Whether it may be left out; `null` is refused all the same. */
  readonly isOptional?: boolean;
  /** How `null` is refused where another word is due: "name cannot be removed". */
  readonly refusalOfNull?: string;
}

/** A property of a request body, with its check. */
export function BodyProperty(
  name: string,
  documented: NonNullable<Parameters<Swagger['ApiProperty']>[0]>,
  { parse, expected, isOptional = false, refusalOfNull = `must be ${expected}` }: BodyPropertyRule,
): PropertyDecorator {
  return applyDecorators(
    Documented(({ ApiProperty }) =>
      ApiProperty({ ...documented, required: !isOptional } as typeof documented),
    ),
    ...(isOptional ? [ValidateIf((_body, value) => value !== undefined)] : []),
    ValidateBy(
      { name, validator: { validate: (json: unknown) => parse(json) !== undefined } },
      { message: ({ value }) => `${name} ${value === null ? refusalOfNull : `must be ${expected}`}` },
    ),
  );
}
