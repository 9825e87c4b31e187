import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { breakingChanges } from '../src/breaking-changes.js';
import type { OpenApi } from '../src/openapi-model.js';

const current = await readFile(new URL('../../../docs/openapi-webhooks.json', import.meta.url), 'utf8');

type Way = readonly (string | number)[];

const parse = (): OpenApi => JSON.parse(current) as OpenApi;

/** The committed document with another value at a place; `undefined` takes away what is there. */
function changed(way: Way, value: unknown): OpenApi {
  const document = JSON.parse(current) as Record<string, unknown>;
  const holder = way.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, document);
  if (value === undefined) Reflect.deleteProperty(holder, way.at(-1) ?? '');
  else holder[way.at(-1) ?? ''] = value;
  return document as unknown as OpenApi;
}

const post = (...way: Way): Way => ['webhooks', 'pet.updated', 'post', ...way];
const event = (...way: Way): Way =>
  post('requestBody', 'content', 'application/json', 'schema', 'properties', ...way);

describe('a change that breaks receivers', () => {
  it.each<[string, Way, unknown, string]>([
    ['an event goes', ['webhooks', 'pet.updated'], undefined, 'webhook pet.updated: removed'],
    [
      'an event is renamed',
      post('operationId'),
      'onPet',
      'webhook pet.updated: operationId onPetUpdated -> onPet',
    ],
    [
      'a header field goes',
      post('parameters', 2),
      { name: 'x', in: 'header', schema: {} },
      'webhook pet.updated header webhook-signature: removed',
    ],
    [
      'a header field may be missing',
      post('parameters', 2, 'required'),
      false,
      'webhook pet.updated header webhook-signature: may be missing',
    ],
    [
      'a member may be missing',
      event('data', 'required'),
      ['pet'],
      'webhook pet.updated body.data.previous: no longer always present',
    ],
    [
      'a member goes',
      event('data', 'properties', 'pet'),
      undefined,
      'webhook pet.updated body.data.pet: removed',
    ],
    [
      'an event is sent otherwise',
      post('requestBody', 'content', 'text/plain'),
      { schema: {} },
      'webhook pet.updated body: text/plain is new',
    ],
    ['other responses are asked for', post('responses'), {}, 'webhook pet.updated: responses changed'],
  ])('is noticed: %s', (_what, way, value, expected) => {
    expect(breakingChanges(parse(), changed(way, value))).toContain(expected);
  });

  it.each<[string, Way, unknown]>([
    ['an event', ['webhooks', 'pet.moved'], { post: { operationId: 'onPetMoved', responses: {} } }],
    ['a member', event('by'), { type: 'string' }],
    ['a header field', post('parameters', 3), { name: 'x', in: 'header', required: true, schema: {} }],
    ['better words', post('description'), 'Better.'],
  ])('is told from an addition: %s', (_what, way, value) => {
    expect(breakingChanges(parse(), changed(way, value))).toEqual([]);
  });
});
