/** An object of an OpenAPI document, of whatever kind. */
export type Node = Readonly<Record<string, unknown>>;

/** For people only, wherever they stand. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  ...['description', 'summary', 'title', 'example', 'examples', 'externalDocs', 'tags', 'deprecated'],
  '$comment',
]);
/** Keywords whose members have names of their own: a property may be called `title`. */
const MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs'],
  ...['paths', 'webhooks', 'responses', 'headers', 'content', 'callbacks', 'securitySchemes'],
]);

/**
 * A document with all references followed and every `allOf` merged, without components that only references lead to and
 * without what is for people only. A schema that refers to itself keeps that reference.
 */
export function expandedDocument(document: Node): Node {
  const targets = new Map<string, unknown>();
  const { components, ...others } = document;
  const { securitySchemes = {} } = node(components);
  return expanded({ ...others, components: { securitySchemes } }) as Node;

  function expanded(value: unknown, isMap = false): unknown {
    if (Array.isArray(value)) return value.map((item) => expanded(item));
    if (typeof value !== 'object' || value === null) return value;
    if (isMap) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, expanded(one)]));
    const { $ref, allOf = [], ...members } = value as Node;
    const own = Object.entries(members)
      .filter(([name]) => !isForPeople(name))
      .map(([name, member]) => [name, expanded(member, MAPS.has(name))]);
    const parts = (allOf as unknown[]).map((part) => expanded(part)).reverse();
    if (typeof $ref === 'string') parts.unshift(targetOf($ref));
    return Object.assign({}, ...parts, Object.fromEntries(own)) as Node;
  }

  function targetOf(reference: string): unknown {
    if (!targets.has(reference)) {
      targets.set(reference, { $ref: reference });
      targets.set(reference, expanded(lookUp(document, reference)));
    }
    return targets.get(reference);
  }
}

const lookUp = (document: Node, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, name) => node(at)[name], document);

/** Extensions are for people, too, but for the error codes of a response. */
const isForPeople = (name: string): boolean =>
  FOR_PEOPLE.has(name) || (name.startsWith('x-') && name !== 'x-codes');

export const node = (value: unknown): Node => (value ?? {}) as Node;
