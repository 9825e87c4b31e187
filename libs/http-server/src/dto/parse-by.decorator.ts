import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';

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
