import { type ErrorDefinition, JsonNumber, ParseBy } from '@petstore/http-server';

/** How a member of a body is read. */
export interface BodyRule<Value> {
  /** The value that a JSON value stands for; `undefined` when it is not allowed. */
  readonly parse: (json: unknown) => Value | undefined;
  /** What is allowed, as a refusal says it: "name must be ...". */
  readonly expected: string;
}

/** A member that is a string. */
export function text<Value>(parse: (text: string) => Value | undefined, expected: string): BodyRule<Value> {
  return { parse: (json) => (typeof json === 'string' ? parse(json) : undefined), expected };
}

/** A member that is a number whose value is whole, however it is spelt. @param parse given its decimal digits */
export function int64<Value>(
  parse: (digits: string) => Value | undefined,
  expected: string,
): BodyRule<Value> {
  return {
    parse: (json) => (json instanceof JsonNumber ? parse(json.toDigits() ?? '') : undefined),
    expected,
  };
}

/** Where a body may leave a member out, and what `null` is there. */
export interface BodyPropertyOptions {
  /** Whether it may be left out; `null` is refused all the same. */
  readonly isOptional?: boolean;
  /** Whether `null` is a value. */
  readonly isNullable?: boolean;
  /** How `null` is refused where another word is due: "name cannot be removed". */
  readonly refusalOfNull?: string;
}

/** A member of a request body: checked and converted. Stands beside `@ApiProperty`. */
export function BodyProperty<Value>(
  { parse, expected }: BodyRule<Value>,
  { isOptional = false, isNullable = false, refusalOfNull = `must be ${expected}` }: BodyPropertyOptions = {},
): PropertyDecorator {
  return ParseBy((json) => (isNullable && json === null ? null : parse(json)), {
    isOptional,
    message: ({ property, value }) => `${property} ${value === null ? refusalOfNull : `must be ${expected}`}`,
  });
}

/** When the value of a query parameter is allowed, and how others are refused. */
export interface QueryRule {
  /** The value that the text stands for; `undefined` when it is not allowed. */
  readonly parse: (text: string) => unknown;
  /** What is allowed, as a refusal says it: "limit must be ...". */
  readonly expected: string;
  /** `invalid_parameter` unless said. */
  readonly error?: ErrorDefinition;
}

/** A query parameter that may be left out and is given at most once. Stands beside `@ApiPropertyOptional`. */
export function QueryParameter({ parse, expected, error }: QueryRule): PropertyDecorator {
  // A repeated parameter arrives as an array.
  return ParseBy((sent) => (typeof sent === 'string' ? parse(sent) : undefined), {
    isOptional: true,
    message: ({ property }) => `${property} must be ${expected}, given once`,
    ...(error !== undefined && { context: { error } }),
  });
}
