import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { breakingChanges } from '../src/breaking-changes.js';
import { declaredBreakingChanges } from '../src/changelog.js';
import { redoclyFindings, spectralFindings } from '../src/document-rules.js';
import type { Node } from '../src/expanded-document.js';

const root = new URL('../../../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');
const parse = (text: string): Node => JSON.parse(text) as Node;
const DOCUMENTS = {
  openapi: await read('docs/openapi.json'),
  webhooks: await read('docs/openapi-webhooks.json'),
};
const changelog = await read('CHANGELOG.md');

const byVersion = new Intl.Collator('en', { numeric: true });
const released = (await readdir(new URL('docs/released/', root))).sort(byVersion.compare);

/** The last released document of a name; `undefined` when none was released. */
async function lastReleased(name: string): Promise<Node | undefined> {
  const file = released.findLast((each) => new RegExp(`^${name}-\\d`).test(each));
  return file === undefined ? undefined : parse(await read(`docs/released/${file}`));
}

describe('the documents since the last release', () => {
  it('break nothing that CHANGELOG.md does not declare, and it declares nothing else', async () => {
    const [before, beforeWebhooks] = [await lastReleased('openapi'), await lastReleased('openapi-webhooks')];
    if (before === undefined) throw new Error('No document was released.');
    const changes = [
      ...breakingChanges(before, parse(DOCUMENTS.openapi)),
      ...(beforeWebhooks === undefined ? [] : breakingChanges(beforeWebhooks, parse(DOCUMENTS.webhooks))),
    ];
    expect(changes.sort()).toEqual(declaredBreakingChanges(changelog).sort());
  });

  it('have a version that CHANGELOG.md lists', () => {
    for (const document of Object.values(DOCUMENTS)) {
      const { version } = parse(document)['info'] as { version: string };
      expect(changelog).toContain(`\n## ${version} `);
    }
  });
});

describe('the rules for documents', () => {
  it.each(['openapi', 'webhooks'] as const)(
    'of Redocly (recommended-strict) are kept by %s',
    async (name) => {
      expect(await redoclyFindings(DOCUMENTS[name])).toEqual([]);
    },
  );

  it.each(['openapi', 'webhooks'] as const)(
    'of Spectral and OWASP are kept by %s, but for the named exceptions',
    async (name) => {
      expect(await spectralFindings(DOCUMENTS[name])).toEqual([]);
    },
  );

  it('would not let mistakes pass', async () => {
    const bad = SAMPLES.openapi
      .replaceAll('"operationId": "createPet"', '"operationId": "listPets"')
      .replace('http://127.0.0.1:3000/v1', 'http://pets.example/v1')
      .replaceAll('"maxLength": 255,', '')
      .replaceAll('"X-RateLimit-Reset": {', '"X-Reset": {')
      // In a body, in a schema and in a header field.
      .replace('"value": [', '"value": 7, "x-was": [')
      .replaceAll('"example": "Rex"', '"example": 7')
      .replace('"example": "/v1/pets/42"', '"example": {}');
    const repeated = /^operation-operationId-unique/;
    const redocly = await redoclyFindings(bad);
    for (const found of [repeated, /^no-invalid-media-type-examples/, /^no-invalid-schema-examples/])
      expect(redocly).toContainEqual(expect.stringMatching(found));
    const findings = await spectralFindings(bad);
    for (const found of [repeated, /without TLS/, /string-limit/, /rate-limit/, /headers\.Location\.example/])
      expect(findings).toContainEqual(expect.stringMatching(found));
  });
});

/** The documents with few operations: enough to compare changes of each kind, in a tenth of the time. */
const SAMPLES = { ...DOCUMENTS, openapi: JSON.stringify(withFewPaths(parse(DOCUMENTS.openapi)), null, 2) };

function withFewPaths(document: Node): Node {
  const paths = document['paths'] as Record<string, Node>;
  const few = ['/pets', '/pets/{petId}'].map((path) => [path, paths[path]] as const);
  return { ...document, paths: Object.fromEntries(few) };
}

type Way = readonly (string | number)[];

/** A committed document with another value at a path; `undefined` removes what is there. */
function changed(document: keyof typeof SAMPLES, way: Way, value: unknown): Node {
  const copy = JSON.parse(SAMPLES[document]) as Record<string, unknown>;
  const holder = way.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, copy);
  if (value === undefined) Reflect.deleteProperty(holder, way.at(-1) ?? '');
  else holder[way.at(-1) ?? ''] = value;
  return copy;
}
const changesOf = (document: keyof typeof SAMPLES, way: Way, value: unknown): string[] =>
  breakingChanges(parse(SAMPLES[document]), changed(document, way, value));

const schema = (...way: string[]): Way => ['components', 'schemas', ...way];
const pet = (...way: string[]): Way => schema('Pet', ...way);
const newPet = (...way: string[]): Way => schema('NewPet', ...way);
const list = (...way: Way): Way => ['paths', '/pets', 'get', ...way];
const create = (...way: string[]): Way => ['paths', '/pets', 'post', ...way];
const post = (...way: Way): Way => ['webhooks', 'pet.updated', 'post', ...way];
const event = (...way: Way): Way =>
  post('requestBody', 'content', 'application/json', 'schema', 'properties', ...way);
const parameters = list('parameters').reduce<unknown>(
  (at, name) => (at as Node)[name],
  parse(SAMPLES.openapi),
) as Node[];
const sort = { name: 'sort', in: 'query', schema: {} };

describe('a breaking change is found', () => {
  it.each<[Way, unknown, string]>([
    [['paths', '/pets/{petId}', 'get'], undefined, 'GET /pets/{petId}: removed'],
    [list('operationId'), 'allPets', 'GET /pets: operationId listPets -> allPets'],
    [list('parameters', 1), { name: 'x', in: 'query', schema: {} }, 'GET /pets query status: removed'],
    [list('parameters'), [sort, ...parameters], 'GET /pets query sort: new, and not the last'],
    [list('parameters'), parameters.toSpliced(3, 0, sort), 'GET /pets query sort: new, and not the last'],
    [list('parameters'), parameters.toReversed(), 'GET /pets: parameters in another order'],
    [list('parameters', 0, 'required'), true, 'GET /pets query limit: now required'],
    [list('parameters', 0, 'schema', 'maximum'), 50, 'GET /pets query limit: maximum 100 -> 50'],
    [list('parameters', 0, 'schema', 'default'), 10, 'GET /pets query limit: default 20 -> 10'],
    [newPet('required'), ['name', 'categoryId', 'status'], 'POST /pets body.status: now required'],
    [newPet('properties', 'name', 'maxLength'), 100, 'POST /pets body.name: maxLength 255 -> 100'],
    [pet('properties', 'name'), undefined, 'POST /pets 201.name: removed'],
    [pet('required'), ['id', 'name'], 'GET /pets 200[].categoryId: no longer always present'],
    [pet('properties', 'id', 'type'), 'string', 'GET /pets 200[].id: type "integer" -> "string"'],
    [
      schema('PetStatus', 'enum'),
      ['available', 'pending', 'sold', 'lost'],
      'GET /pets 200[].status: "lost" is new',
    ],
    [
      schema('PetStatus', 'enum'),
      ['available', 'sold'],
      'GET /pets query status: "pending" no longer accepted',
    ],
    [create('responses', '202'), {}, 'POST /pets 202: is new'],
    [create('responses', '201', 'headers', 'Location'), undefined, 'POST /pets 201 Location: removed'],
    [schema('Error', 'x-codes'), [], 'GET /pets 400: error code invalid_json removed'],
    [
      ['components', 'responses', 'PreconditionFailed', 'headers', 'RateLimit'],
      undefined,
      'GET /pets 412 RateLimit: removed',
    ],
    [list('security'), [{ oauth: [] }], 'GET /pets: security changed'],
  ])('%j = %j', (way, value, expected) => {
    expect(changesOf('openapi', way, value)).toContain(expected);
  });

  it.each<[Way, unknown, string]>([
    [['webhooks', 'pet.updated'], undefined, 'webhook pet.updated: removed'],
    [post('operationId'), 'onPet', 'webhook pet.updated: operationId onPetUpdated -> onPet'],
    [
      post('parameters', 2),
      { name: 'x', in: 'header', schema: {} },
      'webhook pet.updated header webhook-signature: removed',
    ],
    [
      post('parameters', 2, 'required'),
      false,
      'webhook pet.updated header webhook-signature: may be missing',
    ],
    [event('data', 'required'), ['pet'], 'webhook pet.updated body.data.previous: no longer always present'],
    [event('data', 'properties', 'pet'), undefined, 'webhook pet.updated body.data.pet: removed'],
    [
      post('requestBody', 'content', 'text/plain'),
      { schema: {} },
      'webhook pet.updated body: text/plain is new',
    ],
    [post('responses'), {}, 'webhook pet.updated: responses changed'],
  ])('of a webhook: %j = %j', (way, value, expected) => {
    expect(changesOf('webhooks', way, value)).toContain(expected);
  });

  it.each<[Way, unknown]>([
    [newPet('additionalProperties'), false],
    [newPet('properties', 'categoryId', 'multipleOf'), 2],
    [newPet('properties', 'name', 'not'), { const: 'Rex' }],
    [newPet('oneOf'), [{ required: ['status'] }]],
    [pet('properties', 'name', 'type'), ['string', 'null']],
    [pet('properties', 'name', 'writeOnly'), true],
    [schema('PetsWithProfiles', 'items'), {}],
    [list('parameters', 0, 'style'), 'spaceDelimited'],
    [list('parameters', 0, 'content'), { 'application/json': {} }],
    [list('responses', '200', 'content', 'text/csv'), { schema: {} }],
    [create('callbacks'), { done: {} }],
    [create('servers'), [{ url: 'https://elsewhere.example' }]],
    [['paths', '/pets', 'parameters'], [{ name: 'x', in: 'query', schema: {} }]],
    [['servers'], [{ url: 'https://elsewhere.example' }]],
    [['openapi'], '4.0.0'],
  ])('that has no rule: %j = %j', (way, value) => {
    expect(changesOf('openapi', way, value)).not.toEqual([]);
  });

  it('wherever a keyword may stand', () => {
    const places = [...objectsOf((parse(SAMPLES.openapi)['paths'] as Node)['/pets'], ['paths', '/pets'])];
    expect(places.length).toBeGreaterThan(50);
    expect(places.filter((way) => changesOf('openapi', [...way, 'unheardOf'], 1).length === 0)).toEqual([]);
  });

  it('behind a reference', () => {
    const before = changed('openapi', newPet('not'), { $ref: '#/components/schemas/PetStatus' });
    const after = structuredClone(before) as { components: { schemas: Record<string, object> } };
    Object.assign(after.components.schemas['PetStatus'] ?? {}, { enum: ['available'] });
    expect(breakingChanges(before, after)).toContain('POST /pets body: not changed');
  });
});

describe('a harmless change is not reported', () => {
  it.each<[keyof typeof SAMPLES, Way, unknown]>([
    ['openapi', ['paths', '/orders'], { get: { operationId: 'listOrders', responses: {} } }],
    ['openapi', list('parameters', parameters.length), sort],
    ['openapi', newPet('properties', 'breed'), { type: 'string' }],
    ['openapi', pet('properties', 'breed'), { type: 'string' }],
    ['openapi', list('responses', '402'), { content: {} }],
    ['openapi', list('parameters', 0, 'schema', 'maximum'), 200],
    ['openapi', list('description'), 'Better.'],
    ['openapi', pet('title'), 'An animal'],
    ['openapi', newPet('properties', 'name', 'example'), 'Mia'],
    ['openapi', list('x-since'), '1.0.0'],
    ['openapi', list('deprecated'), true],
    ['openapi', ['externalDocs'], { url: 'https://elsewhere.example' }],
    ['webhooks', ['webhooks', 'pet.moved'], { post: { operationId: 'onPetMoved', responses: {} } }],
    ['webhooks', event('by'), { type: 'string' }],
    ['webhooks', post('parameters', 3), { name: 'x', in: 'header', required: true, schema: {} }],
    ['webhooks', post('description'), 'Better.'],
  ])('%s: %j = %j', (document, way, value) => {
    expect(changesOf(document, way, value)).toEqual([]);
  });
});

describe('CHANGELOG.md', () => {
  it('declares a breaking change by naming it with the reason', () => {
    const text = [
      '# Changelog\n\n## 1.1.0 (unreleased)\n\n### Added\n\n- `not this`: it is an addition.\n',
      '### Breaking\n\n- `GET /pets: removed`,\n  `POST /pets: removed`: use /v2.\n- `without a reason`\n',
      '### Fixed\n\n- `nor this`: a fix.\n\n## 1.0.0 (2026-11-21)\n\n### Breaking\n\n- `old`: long ago.\n',
    ].join('\n');
    expect(declaredBreakingChanges(text)).toEqual(['GET /pets: removed', 'POST /pets: removed']);
  });
});

/** Members that hold objects with names of their own, or what is for people only. */
const NAMED: ReadonlySet<string> = new Set(['responses', 'headers', 'content', 'properties']);
const FOR_PEOPLE: ReadonlySet<string> = new Set(['example', 'examples', 'externalDocs', 'security']);

/** The paths of all objects below that hold keywords; references are not followed. */
function* objectsOf(value: unknown, way: Way): Generator<Way> {
  if (typeof value !== 'object' || value === null) return;
  const name = String(way.at(-1));
  if (FOR_PEOPLE.has(name)) return;
  if (!Array.isArray(value) && !NAMED.has(name) && !('$ref' in value)) yield way;
  for (const [member, held] of Object.entries(value))
    yield* objectsOf(held, [...way, Array.isArray(value) ? Number(member) : member]);
}
