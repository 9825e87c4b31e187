import { applyDecorators } from '@nestjs/common';
import {
  getMetadataStorage,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  type ValidationOptions,
  ValidationTypes,
} from 'class-validator';
import { UnsupportedDtoError } from './unsupported-dto.error.js';

/** Makes the value of a property of what was sent; `undefined` for what is not allowed. */
export type Parse<Value = unknown> = (sent: unknown) => Value | undefined;

/** How a property is parsed, beyond the message and the `context.error` of its refusal. */
export interface ParseOptions extends Pick<ValidationOptions, 'message' | 'context'> {
  /** Whether it may be left out: then it keeps its default. `null` is parsed like any other value. */
  readonly isOptional?: boolean;
}

/** Under which name {@link ParseBy} stands among the checks of class-validator. */
export const PARSE_BY = 'parseBy';

/**
 * Checks a property and converts it: valid is what `parse` makes a value of, and that value is what the handler reads.
 * To class-validator it is a check like any other; `DtoPipe` converts. Other checks of the property see what was sent:
 * in a query a text, or an array of texts when the parameter was given more than once; in a body what
 * `parseJsonObject` makes of it.
 */
export function ParseBy(
  parse: Parse,
  { isOptional = false, ...options }: ParseOptions = {},
): PropertyDecorator {
  return applyDecorators(
    ...(isOptional ? [ValidateIf((_dto, sent) => sent !== undefined)] : []),
    ValidateBy(
      { name: PARSE_BY, constraints: [parse], validator: { validate: (sent) => parse(sent) !== undefined } },
      options,
    ),
  );
}

/** What a decorator of class-validator has noted. */
export type Metadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** One check of a property. */
export type Check = (dto: object, value: unknown) => boolean;

/** Types of metadata that are a function of the value. */
const VALUE_CHECKS: ReadonlySet<string> = new Set([
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.IS_DEFINED,
]);

/**
 * What `ValidateIf` or `IsOptional` stands for.
 *
 * @throws UnsupportedDtoError
 */
export function toCondition(dto: string, metadata: Metadata): Check {
  refuseOptions(dto, metadata);
  const { each, validateIf, constraints, propertyName } = metadata;
  const condition: unknown = constraints[0];
  if (each || validateIf !== undefined || constraints.length !== 1 || typeof condition !== 'function')
    throw new UnsupportedDtoError(dto, propertyName, 'has a condition that is more than one function');
  return (object, value) => Boolean(Reflect.apply(condition, undefined, [object, value]));
}

/**
 * What a decorator such as `IsIn` or `ValidateBy` stands for, with its options `each` and `validateIf`.
 *
 * @throws UnsupportedDtoError
 */
export function toCheck(dto: string, metadata: Metadata): Check[] {
  const { type, constraintCls, propertyName, each, validateIf } = metadata;
  refuseOptions(dto, metadata);
  // Nested objects and promises, and properties that are to be taken as they are.
  if (!VALUE_CHECKS.has(type))
    throw new UnsupportedDtoError(
      dto,
      propertyName,
      `has a check of the type ${type}, which is not supported`,
    );
  const constraints = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (constraints.length === 0)
    throw new UnsupportedDtoError(dto, propertyName, 'has a check whose class is no ValidatorConstraint');
  if (constraints.some(({ async }) => async))
    throw new UnsupportedDtoError(dto, propertyName, 'has an asynchronous check, which is not supported');
  return constraints.map(({ instance }) => {
    const one: Check = (object, value) =>
      answerOf(dto, metadata, instance.validate(value, argumentsOf(metadata, object, value)));
    const all: Check = each ? (object, value) => everyOf(value, (item) => one(object, item)) : one;
    return validateIf === undefined
      ? all
      : (object, value) => !validateIf(object, value) || all(object, value);
  });
}

/** Groups are chosen when an object is checked, and nothing here chooses any. */
function refuseOptions(dto: string, metadata: Metadata): void {
  const { always, propertyName } = metadata;
  // Declared as always there, which it is only for decorators without options.
  const groups = metadata.groups as readonly string[] | undefined;
  if ((groups !== undefined && groups.length > 0) || always !== undefined)
    throw new UnsupportedDtoError(
      dto,
      propertyName,
      'has a check with groups or always, which are not supported',
    );
}

function argumentsOf(
  { constraints, propertyName }: Metadata,
  object: object,
  value: unknown,
): ValidationArguments {
  return { value, object, constraints, property: propertyName, targetName: object.constructor.name };
}

/** A promise would count as true. */
function answerOf(dto: string, { propertyName }: Metadata, answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  throw new UnsupportedDtoError(dto, propertyName, 'has a check that gives neither true nor false');
}

/** As class-validator does it: what is no collection is checked itself. */
function everyOf(value: unknown, holds: (item: unknown) => boolean): boolean {
  if (Array.isArray(value)) return value.every((item) => holds(item));
  if (value instanceof Set || value instanceof Map) return [...value.values()].every((item) => holds(item));
  return holds(value);
}
