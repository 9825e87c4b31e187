import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { breakingChanges } from '../src/breaking-changes.js';
import type { OpenApi } from '../src/openapi-model.js';

const current = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');

type Way = readonly (string | number)[];

const parse = (): OpenApi => JSON.parse(current) as OpenApi;

/** The committed document with another value at a place. */
function changed(way: Way, value: unknown): OpenApi {
  const document = parse() as unknown as Record<string, unknown>;
  const holder = way.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, document);
  holder[way.at(-1) ?? ''] = value;
  return document as unknown as OpenApi;
}

const list: Way = ['paths', '/pets', 'get'];
const create: Way = ['paths', '/pets', 'post'];
const pet: Way = ['components', 'schemas', 'Pet'];
const newPet: Way = ['components', 'schemas', 'NewPet'];

describe('what differs and is judged by nobody', () => {
  it.each<[string, Way, unknown]>([
    ['unknown members are refused', [...newPet, 'additionalProperties'], false],
    ['a number must be a multiple', [...newPet, 'properties', 'categoryId', 'multipleOf'], 2],
    ['a bound excludes itself', [...newPet, 'properties', 'categoryId', 'exclusiveMinimum'], 1],
    ['a value is fixed', [...newPet, 'properties', 'name', 'const'], 'Rex'],
    ['a value is forbidden', [...newPet, 'properties', 'name', 'not'], { const: 'Rex' }],
    ['one of several schemas', [...newPet, 'oneOf'], [{ required: ['status'] }]],
    ['a least number of members', [...newPet, 'minProperties'], 3],
    ['a member asks for another one', [...newPet, 'dependentRequired'], { status: ['breed'] }],
    ['another encoding of a text', [...pet, 'properties', 'name', 'contentEncoding'], 'base64'],
    ['a value that may be null', [...pet, 'properties', 'name', 'type'], ['string', 'null']],
    ['a member that is only written', [...pet, 'properties', 'name', 'writeOnly'], true],
    ['a discriminator', [...pet, 'discriminator'], { propertyName: 'status' }],
    ['items that differ', ['components', 'schemas', 'Pets', 'uniqueItems'], true],
    ['items of any kind', ['components', 'schemas', 'Pets', 'items'], {}],
    ['another style of a parameter', [...list, 'parameters', 0, 'style'], 'spaceDelimited'],
    ['a list that is written otherwise', [...list, 'parameters', 0, 'explode'], false],
    ['a parameter of another form', [...list, 'parameters', 0, 'content'], { 'application/json': {} }],
    ['a response of another type', [...list, 'responses', '200', 'content', 'text/csv'], { schema: {} }],
    ['a link of a response', [...list, 'responses', '200', 'links'], { next: { operationId: 'listPets' } }],
    [
      'an encoding of a body',
      [...create, 'requestBody', 'content', 'application/json', 'encoding'],
      { a: {} },
    ],
    ['a callback', [...create, 'callbacks'], { done: {} }],
    ['servers of an operation', [...create, 'servers'], [{ url: 'https://elsewhere.example' }]],
    ['parameters of a path', ['paths', '/pets', 'parameters'], [{ name: 'x', in: 'query', schema: {} }]],
    ['servers', ['servers'], [{ url: 'https://elsewhere.example' }]],
    ['another dialect', ['jsonSchemaDialect'], 'https://elsewhere.example'],
    ['another version of OpenAPI', ['openapi'], '4.0.0'],
  ])('is a change: %s', (_what, way, value) => {
    expect(breakingChanges(parse(), changed(way, value))).not.toEqual([]);
  });

  it('is a change at any place where a keyword may stand', () => {
    const before = parse();
    const places = [...objectsOf(before.paths?.['/pets'], ['paths', '/pets'])];
    expect(places.length).toBeGreaterThan(50);
    const missed = places.filter(
      (way) => breakingChanges(before, changed([...way, 'unheardOf'], 1)).length === 0,
    );
    expect(missed).toEqual([]);
  });

  it('is a change behind a reference, too', () => {
    const before = changed([...newPet, 'not'], { $ref: '#/components/schemas/PetStatus' });
    const after = JSON.parse(JSON.stringify(before)) as typeof before;
    Object.assign(after.components.schemas['PetStatus'] ?? {}, { enum: ['available'] });
    expect(breakingChanges(before, after)).toContain('POST /pets body: not changed');
  });

  it.each<[string, Way, unknown]>([
    ['words', [...pet, 'title'], 'An animal'],
    ['an example', [...newPet, 'properties', 'name', 'example'], 'Mia'],
    ['an extension', [...list, 'x-since'], '1.0.0'],
    ['a deprecation', [...list, 'deprecated'], true],
    ['documents elsewhere', ['externalDocs'], { url: 'https://elsewhere.example' }],
  ])('is none when it is for people alone: %s', (_what, way, value) => {
    expect(breakingChanges(parse(), changed(way, value))).toEqual([]);
  });
});

/** Members that hold what has names of its own, or what is for people alone. */
const NAMED: ReadonlySet<string> = new Set(['responses', 'headers', 'content', 'properties']);
const FOR_PEOPLE: ReadonlySet<string> = new Set(['example', 'examples', 'security']);

/** The ways to all objects below that hold keywords; references are not followed. */
function* objectsOf(value: unknown, way: Way): Generator<Way> {
  if (typeof value !== 'object' || value === null) return;
  const name = String(way.at(-1));
  if (FOR_PEOPLE.has(name)) return;
  const isReference = '$ref' in value;
  if (!Array.isArray(value) && !NAMED.has(name) && !isReference) yield way;
  for (const [member, held] of Object.entries(value)) yield* objectsOf(held, [...way, keyOf(value, member)]);
}

const keyOf = (holder: object, member: string): string | number =>
  Array.isArray(holder) ? Number(member) : member;
