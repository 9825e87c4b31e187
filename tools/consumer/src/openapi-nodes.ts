/** An object of an OpenAPI document, of whatever kind. */
export type Node = Readonly<Record<string, unknown>>;

/** For people only, wherever they stand; so are extensions (`x-`) that are not compared by name. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...[
    'description',
    'summary',
    'title',
    'example',
    'examples',
    'externalDocs',
    'tags',
    'deprecated',
    '$comment',
  ],
]);
/** Keywords whose members have names of their own: a property may be called `title`. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);

/** An object with its reference followed and its `allOf` merged. */
export function resolve(document: Node, { $ref, allOf = [], ...own }: Node): Node {
  const parts = [...(allOf as readonly Node[])];
  if (typeof $ref === 'string') parts.push(node(lookUp(document, $ref)));
  return parts.reduce<Node>((whole, part) => ({ ...resolve(document, part), ...whole }), own);
}

/** A value with all references followed, without what is for people only. A reference to itself stays one. */
export function expanded(
  document: Node,
  value: unknown,
  followed: readonly string[] = [],
  isMap = false,
): unknown {
  if (Array.isArray(value)) return value.map((item) => expanded(document, item, followed));
  if (typeof value !== 'object' || value === null) return value;
  const known = followed.length > 0 || isMap ? undefined : EXPANDED.get(value);
  if (known !== undefined) return known;
  const { $ref, ...members } = value as Node;
  const own = Object.entries(members)
    .filter(([name]) => isMap || !isHarmless(name))
    .map(([name, member]) => [name, expanded(document, member, followed, !isMap && MAPS.has(name))]);
  if (followed.includes(String($ref))) return { $ref };
  const target =
    typeof $ref === 'string' ? expanded(document, lookUp(document, $ref), [...followed, $ref]) : {};
  const result: Node = { ...node(target), ...(Object.fromEntries(own) as Node) };
  if (followed.length === 0 && !isMap) EXPANDED.set(value, result);
  return result;
}

/** Results of {@link expanded}: every object belongs to one document, which does not change. */
const EXPANDED = new WeakMap<object, Node>();

const lookUp = (document: Node, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, name) => node(at)[name], document);

export const node = (value: unknown): Node => (value ?? {}) as Node;
export const list = (value: unknown): readonly Node[] => (value ?? []) as readonly Node[];
export const entries = (value: unknown): [string, Node][] => Object.entries(node(value)) as [string, Node][];
export const isHarmless = (name: string): boolean => HARMLESS.has(name) || name.startsWith('x-');
