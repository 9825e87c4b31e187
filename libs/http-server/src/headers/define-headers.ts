import type { HeaderObject, ReferenceObject } from './openapi-types.js';

/** One header field that responses may carry, and what the OpenAPI document says of it. */
export interface HeaderDefinition<Name extends string = string> {
  readonly name: Name;
  readonly component: HeaderObject;
}

export type HeaderDefinitions<Name extends string> = { readonly [N in Name]: HeaderDefinition<N> };

/** A field name (RFC 9110, section 5.1). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Defines the header fields that a feature brings, by their names.
 *
 * @throws Error for what is no field name
 */
export function defineHeaders<const Components extends Record<string, HeaderObject>>(
  components: Components,
): HeaderDefinitions<keyof Components & string> {
  const definitions = Object.entries(components).map(([name, component]) => {
    if (!TOKEN.test(name)) throw new Error(`"${name}" is not a header field name.`);
    return [name, { name, component }];
  });
  return Object.fromEntries(definitions) as HeaderDefinitions<keyof Components & string>;
}

/** A field of visible ASCII and spaces: what field values may hold (RFC 9110, section 5.5). */
export function textHeader(description: string, example: string, maxLength = 1024): HeaderObject {
  return {
    description,
    schema: { type: 'string', minLength: 1, maxLength, pattern: '^[ -~]+$' },
    example,
  };
}

/** A field that is a whole number. */
export function integerHeader(description: string, example: number, minimum = 0): HeaderObject {
  return {
    description,
    schema: { type: 'integer', format: 'int64', minimum, maximum: Number.MAX_SAFE_INTEGER },
    example,
  };
}

/**
 * Every definition once, in the order given.
 *
 * @throws Error when two definitions have one name
 */
export function distinctHeaders(definitions: Iterable<HeaderDefinition>): readonly HeaderDefinition[] {
  const byName = new Map<string, HeaderDefinition>();
  for (const definition of definitions) {
    const key = definition.name.toLowerCase();
    if ((byName.get(key) ?? definition) !== definition)
      throw new Error(`The header field ${definition.name} is defined twice.`);
    byName.set(key, definition);
  }
  return [...byName.values()];
}

/** References to the components of these header fields. */
export function headerReferences(headers: readonly HeaderDefinition[]): Record<string, ReferenceObject> {
  return Object.fromEntries(headers.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]));
}
