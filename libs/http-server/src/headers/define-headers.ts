import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;
type Entry<Name extends keyof Components> = NonNullable<Components[Name]>[string];

/** Types of the OpenAPI document that @nestjs/swagger does not export by name. */
export type ReferenceObject = Extract<Entry<'headers'>, { $ref: string }>;
export type HeaderObject = Exclude<Entry<'headers'>, ReferenceObject>;
export type SchemaObject = Exclude<Entry<'schemas'>, ReferenceObject>;
export type ExampleObject = Exclude<Entry<'examples'>, ReferenceObject>;

/** A header field of responses, and its part of the OpenAPI document. */
export interface HeaderDefinition<Name extends string = string> {
  readonly name: Name;
  readonly component: HeaderObject;
}

/** A field name (RFC 9110, section 5.1). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Defines the header fields of a feature, by their names.
 *
 * @throws Error for what is no field name
 */
export function defineHeaders<const Components extends Record<string, HeaderObject>>(
  components: Components,
): { readonly [Name in keyof Components & string]: HeaderDefinition<Name> } {
  const definitions = Object.entries(components).map(([name, component]) => {
    if (!TOKEN.test(name)) throw new Error(`"${name}" is not a header field name.`);
    return [name, { name, component }];
  });
  return Object.fromEntries(definitions) as ReturnType<typeof defineHeaders<Components>>;
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
 * @throws Error when two definitions have one name, in whatever case
 */
export function distinctHeaders(definitions: Iterable<HeaderDefinition>): readonly HeaderDefinition[] {
  return distinct(definitions, ({ name }) => `header field ${name}`);
}

/**
 * Every definition once, in the order given.
 *
 * @param nameOf what the definition defines; case does not count
 * @throws Error when two definitions have one name
 */
export function distinct<Definition>(
  definitions: Iterable<Definition>,
  nameOf: (definition: Definition) => string,
): readonly Definition[] {
  const byName = new Map<string, Definition>();
  for (const definition of definitions) {
    const key = nameOf(definition).toLowerCase();
    if ((byName.get(key) ?? definition) !== definition)
      throw new Error(`The ${nameOf(definition)} is defined twice.`);
    byName.set(key, definition);
  }
  return [...byName.values()];
}

/** References to the components of these header fields. */
export function headerReferences(headers: readonly HeaderDefinition[]): Record<string, ReferenceObject> {
  return Object.fromEntries(headers.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]));
}
