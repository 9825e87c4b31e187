import { isDeepStrictEqual } from 'node:util';
import type { OpenApi } from './openapi-model.js';

/** For people alone, wherever they stand; extensions (`x-`) are, too, but for those that are judged by name. */
const HARMLESS: ReadonlySet<string> = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'deprecated',
  '$comment',
]);

/** Keywords whose members have names that somebody chose: a property may be called `title`. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);

/** An object of the document, of whatever kind. */
export type Keywords = Readonly<Record<string, unknown>>;

/**
 * What differs between two objects of a document and is judged by nobody: whether it can break a consumer is not known,
 * so that it counts as a change.
 *
 * @param judged names of the members that somebody else compares
 */
export function unjudgedChanges(
  [before, after]: readonly [OpenApi, OpenApi],
  where: string,
  [old, now]: readonly [Keywords, Keywords],
  judged: ReadonlySet<string>,
): string[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names
    .filter((name) => !judged.has(name) && !isHarmless(name))
    .filter((name) => !isDeepStrictEqual(expanded(before, old[name]), expanded(after, now[name])))
    .map((name) => `${where}: ${name} changed`);
}

function isHarmless(name: string): boolean {
  return HARMLESS.has(name) || name.startsWith('x-');
}

/** A value with its references followed, without what is for people alone. A reference to itself stays one. */
function expanded(
  document: OpenApi,
  value: unknown,
  followed: readonly string[] = [],
  isMap = false,
): unknown {
  if (Array.isArray(value)) return value.map((item) => expanded(document, item, followed));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...members } = value as Keywords;
  const own = Object.entries(members)
    .filter(([name]) => isMap || !isHarmless(name))
    .map(([name, member]) => [name, expanded(document, member, followed, !isMap && MAPS.has(name))] as const);
  if (typeof $ref !== 'string') return Object.fromEntries(own);
  if (followed.includes($ref)) return { $ref };
  const target = expanded(document, lookUp(document, $ref), [...followed, $ref]);
  return { ...(target as object), ...Object.fromEntries(own) };
}

function lookUp(document: OpenApi, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>(
      (at, name) => (at as Keywords | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}
