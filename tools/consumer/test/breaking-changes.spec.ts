import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { breakingChanges } from '../src/breaking-changes.js';
import { declaredBreakingChanges } from '../src/changelog.js';
import type { OpenApi, Parameter } from '../src/openapi-model.js';

const root = new URL('../../../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');
const current = await read('docs/openapi.json');
const webhooks = await read('docs/openapi-webhooks.json');
const changelog = await read('CHANGELOG.md');

const parse = (text: string): OpenApi => JSON.parse(text) as OpenApi;

const byVersion = new Intl.Collator('en', { numeric: true });
const released = (await readdir(new URL('docs/released/', root))).sort(byVersion.compare);

/** The last released document of a name; `undefined` when none was released. */
async function lastReleased(name: string): Promise<OpenApi | undefined> {
  const file = released.findLast((each) => new RegExp(`^${name}-\\d`).test(each));
  return file === undefined ? undefined : parse(await read(`docs/released/${file}`));
}

describe('the documents since the last release', () => {
  it('break nothing that CHANGELOG.md does not declare, and it declares nothing that is not so', async () => {
    const [before, beforeWebhooks] = [await lastReleased('openapi'), await lastReleased('openapi-webhooks')];
    if (before === undefined) throw new Error('No document was released.');
    const changes = [
      ...breakingChanges(before, parse(current)),
      ...(beforeWebhooks === undefined ? [] : breakingChanges(beforeWebhooks, parse(webhooks))),
    ];
    expect(changes.sort()).toEqual(declaredBreakingChanges(changelog).sort());
  });

  it('have a version that CHANGELOG.md tells of', () => {
    for (const document of [current, webhooks])
      expect(changelog).toMatch(
        new RegExp(`^## ${parse(document).info.version.replaceAll('.', '\\.')} `, 'm'),
      );
  });
});

/** The committed document with one change, given by a path of member names. */
function changed(path: readonly (string | number)[], value: unknown): OpenApi {
  const document = JSON.parse(current) as Record<string, unknown>;
  const [last, ...way] = [...path].reverse();
  const holder = way.reverse().reduce((at, name) => at[name] as Record<string, unknown>, document);
  if (value === undefined) Reflect.deleteProperty(holder, last ?? '');
  else holder[last ?? ''] = value;
  return document as unknown as OpenApi;
}

const parametersOf = (path: string): readonly Parameter[] =>
  parse(current).paths?.[path]?.['get']?.parameters ?? [];
const schema = (...path: string[]): string[] => ['components', 'schemas', ...path];
const list = (...path: (string | number)[]): (string | number)[] => ['paths', '/pets', 'get', ...path];
const create = (...path: string[]): string[] => ['paths', '/pets', 'post', ...path];

describe('a change that breaks consumers', () => {
  it.each<[string, (string | number)[], unknown, string]>([
    ['an operation goes', ['paths', '/pets/{petId}', 'get'], undefined, 'GET /pets/{petId}: removed'],
    ['an operation is renamed', list('operationId'), 'allPets', 'GET /pets: operationId listPets -> allPets'],
    [
      'a parameter goes',
      list('parameters', 1),
      { name: 'x', in: 'query', schema: {} },
      'GET /pets query status: removed',
    ],
    [
      'a new parameter comes before others',
      list('parameters'),
      [{ name: 'sort', in: 'query', schema: {} }, ...parametersOf('/pets')],
      'GET /pets query sort: new, and not the last',
    ],
    [
      'a new parameter comes before a header field',
      list('parameters'),
      parametersOf('/pets').toSpliced(3, 0, { name: 'sort', in: 'query', schema: {} }),
      'GET /pets query sort: new, and not the last',
    ],
    [
      'parameters change places',
      list('parameters'),
      parametersOf('/pets').toReversed(),
      'GET /pets: parameters in another order',
    ],
    [
      'a parameter becomes required',
      list('parameters', 0, 'required'),
      true,
      'GET /pets query limit: now required',
    ],
    [
      'a parameter becomes narrower',
      list('parameters', 0, 'schema', 'maximum'),
      50,
      'GET /pets query limit: maximum 100 -> 50',
    ],
    [
      'a default changes',
      list('parameters', 0, 'schema', 'default'),
      10,
      'GET /pets query limit: default 20 -> 10',
    ],
    [
      'a member becomes required',
      schema('NewPet', 'required'),
      ['name', 'categoryId', 'status'],
      'POST /pets body.status: now required',
    ],
    [
      'a name must be shorter',
      schema('NewPet', 'properties', 'name', 'maxLength'),
      100,
      'POST /pets body.name: maxLength 255 -> 100',
    ],
    [
      'a member of the response goes',
      schema('Pet', 'properties', 'name'),
      undefined,
      'POST /pets 201.name: removed',
    ],
    [
      'a member may be missing',
      schema('Pet', 'required'),
      ['id', 'name'],
      'GET /pets 200[].categoryId: no longer always present',
    ],
    [
      'an id becomes a string',
      schema('Pet', 'properties', 'id', 'type'),
      'string',
      'GET /pets 200[].id: type "integer" -> "string"',
    ],
    [
      'a status is new',
      schema('PetStatus', 'enum'),
      ['available', 'pending', 'sold', 'lost'],
      'GET /pets 200[].status: "lost" is new',
    ],
    [
      'a status goes',
      schema('PetStatus', 'enum'),
      ['available', 'sold'],
      'GET /pets query status: "pending" no longer accepted',
    ],
    ['a response gets another status', create('responses', '202'), {}, 'POST /pets 202: is new'],
    [
      'a header field goes',
      create('responses', '201', 'headers', 'Location'),
      undefined,
      'POST /pets 201 Location: removed',
    ],
    ['an error code goes', schema('Error', 'x-codes'), [], 'GET /pets 400: error code invalid_json removed'],
    ['another key is asked for', list('security'), [{ oauth: [] }], 'GET /pets: security changed'],
  ])('is noticed: %s', (_what, path, value, expected) => {
    expect(breakingChanges(parse(current), changed(path, value))).toContain(expected);
  });

  it.each<[string, (string | number)[], unknown]>([
    ['an operation', ['paths', '/orders'], { get: { operationId: 'listOrders', responses: {} } }],
    ['an optional parameter', list('parameters', 6), { name: 'sort', in: 'query', schema: {} }],
    ['an optional member', schema('NewPet', 'properties', 'breed'), { type: 'string' }],
    ['a member of the response', schema('Pet', 'properties', 'breed'), { type: 'string' }],
    ['an error response', list('responses', '402'), { content: {} }],
    ['a longer page on request', list('parameters', 0, 'schema', 'maximum'), 200],
    ['better words', list('description'), 'Better.'],
  ])('is told from an addition: %s', (_what, path, value) => {
    expect(breakingChanges(parse(current), changed(path, value))).toEqual([]);
  });
});

describe('CHANGELOG.md', () => {
  it('declares a breaking change by naming it and saying why', () => {
    const text = [
      '# Changelog\n\n## 1.1.0 (unreleased)\n\n### Added\n\n- `not this`: it is an addition.\n',
      '### Breaking\n\n- `GET /pets: removed`: use /v2.\n- `without a reason`\n',
      '### Fixed\n\n- `nor this`: a fix.\n\n## 1.0.0 (2026-11-21)\n\n### Breaking\n\n- `old`: long ago.\n',
    ].join('\n');
    expect(declaredBreakingChanges(text)).toEqual(['GET /pets: removed']);
  });
});
