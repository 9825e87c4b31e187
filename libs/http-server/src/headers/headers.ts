import type { OpenAPIObject } from '@nestjs/swagger';
import type { ServerResponse } from 'node:http';

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

/** Defines the header fields of a feature, by their names. */
export function defineHeaders<const Components extends Record<string, HeaderObject>>(
  components: Components,
): { readonly [Name in keyof Components & string]: HeaderDefinition<Name> } {
  const definitions = Object.entries(components).map(([name, component]) => [name, { name, component }]);
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

/** Header fields that responses of any HTTP API may carry; features define theirs. */
export const HTTP_HEADERS = defineHeaders({
  'X-Request-Id': textHeader(
    'Id of this request; the one that was sent if it was fit for it.',
    '3f9c1d1e-8a0b-4a64-9f0e-6f1d2c3b4a59',
    64,
  ),
  'Retry-After': integerHeader('Seconds to wait before trying again.', 12, 1),
  Allow: textHeader('Methods that the path supports.', 'GET, HEAD, OPTIONS, POST'),
  'Accept-Patch': textHeader(
    'Media types that PATCH accepts (RFC 5789).',
    'application/merge-patch+json, application/json',
  ),
  'Accept-Encoding': textHeader(
    'Content codings that a body may have; after one that it may not have (RFC 9110).',
    'identity',
    128,
  ),
  ETag: textHeader(
    'Identifies this answer, or the current state, for If-Match and If-None-Match (RFC 9110).',
    '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
    64,
  ),
  Vary: textHeader(
    'Request header fields that the answer depends on (RFC 9110).',
    'Origin, Authorization',
    128,
  ),
  'Cache-Control': textHeader(
    'Whether and how the answer may be cached (RFC 9111).',
    'private, no-cache',
    128,
  ),
});

/** Header fields of a response, by name. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** One link of a Link header field (RFC 8288). */
export interface WebLink {
  /** A path reference or an absolute URI; must not hold `>`. */
  readonly target: string;
  readonly rel: string;
  /** Media type of what the link leads to. */
  readonly type?: string;
}

/** Sets header fields, each in the place of one of the same name. */
export function setHeaders(response: ServerResponse, headers: ResponseHeaders): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
}

/** The value of a Link header field (RFC 8288, section 3). */
export function formatLinks(links: readonly WebLink[]): string {
  return links
    .map(
      ({ target, rel, type }) => `<${target}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`,
    )
    .join(', ');
}

/** The value of a Link header field that leads to the explanation of an error. @param target a path reference or a URI */
export function helpLink(target: string): string {
  return formatLinks([{ target, rel: 'help', type: 'text/html' }]);
}
