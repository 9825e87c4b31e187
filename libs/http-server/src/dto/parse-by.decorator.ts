import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';

/** Makes the value of a member of what was sent; `undefined` for what is not allowed. */
export type Parse<Value = unknown> = (sent: unknown) => Value | undefined;

/** How a member is parsed, beyond the message and the `context.error` of its refusal. */
export interface ParseOptions extends Pick<ValidationOptions, 'message' | 'context'> {
  /** Whether it may be left out: then it keeps its default. `null` is parsed like any other value. */
  readonly isOptional?: boolean;
}

/** A member of a DTO class. */
export interface DtoMember {
  readonly name: string;
  readonly parse: Parse;
  readonly isOptional: boolean;
}

const MEMBERS = Symbol('members');

/**
 * Checks and converts a member: it is valid if `parse` returns a value, which is what the handler reads. `parse` must
 * be deterministic. It gets what was sent: in a query a text, or an array of texts when the parameter is repeated; in a
 * body what `parseJsonObject` returns.
 *
 * class-validator sees one rule, and `DtoPipe` calls `parse` itself. Other decorators of class-validator would be
 * ignored: lint refuses the package in `apps/api`.
 */
export function ParseBy(
  parse: Parse,
  { isOptional = false, ...options }: ParseOptions = {},
): PropertyDecorator {
  return applyDecorators(
    ...(isOptional ? [ValidateIf((_dto, sent) => sent !== undefined)] : []),
    ValidateBy({ name: 'parseBy', validator: { validate: (sent) => parse(sent) !== undefined } }, options),
    (prototype: object, property: string | symbol) => {
      const { constructor: dto } = prototype;
      const name = String(property);
      const members = membersOf(dto);
      if (members.some((each) => each.name === name))
        throw new Error(`${dto.name}.${name} is parsed more than once.`);
      Reflect.defineMetadata(MEMBERS, [...members, { name, parse, isOptional }], dto);
    },
  );
}

/** The members of a DTO class and of those that it extends, in the order of their declaration; none of another class. */
export function membersOf(type: object): readonly DtoMember[] {
  return (Reflect.getMetadata(MEMBERS, type) ?? []) as readonly DtoMember[];
}
