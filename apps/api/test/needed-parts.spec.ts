import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The browser's module is JavaScript and needs no browser. */
const { neededParts } = (await import(new URL('../assets/docs/needed-parts.js', import.meta.url).href)) as {
  neededParts: (document: unknown, path: readonly string[]) => unknown;
};

type Json = Record<string, unknown>;
type Operations = Record<string, Record<string, unknown>>;

const DOCUMENT = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url)), 'utf8'),
) as { paths: Operations; components: Record<string, Json> };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([name, methods]) =>
  METHODS.filter((method) => method in methods).map((method) => ['paths', name, method]),
);

const at = (document: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], document);

/** The value with all that it refers to in its place; a reference within what it refers to is the word "itself". */
function resolved(value: unknown, document: unknown, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, document, within));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as Json;
  if (typeof $ref === 'string') {
    if (within.includes($ref)) return 'itself';
    const target = at(document, $ref.slice(2).split('/'));
    expect([$ref, target]).not.toEqual([$ref, undefined]);
    return resolved(target, document, [...within, $ref]);
  }
  return Object.fromEntries(
    Object.entries(value as Json).map(([name, one]) => [name, resolved(one, document, within)]),
  );
}

describe('what an operation needs of the document', () => {
  it.each(OPERATIONS)('is all that it leads to: %s %s %s', (...path) => {
    const needed = neededParts(DOCUMENT, path);
    expect(resolved(at(needed, path), needed)).toEqual(resolved(at(DOCUMENT, path), DOCUMENT));
  });

  it('is a small part of it', () => {
    const needed = neededParts(DOCUMENT, ['paths', '/pets/{petId}', 'delete']) as typeof DOCUMENT;
    expect(Object.keys(needed.paths)).toEqual(['/pets/{petId}']);
    expect(Object.keys(needed.paths['/pets/{petId}'] ?? {})).toEqual(['delete']);
    expect(JSON.stringify(needed).length).toBeLessThan(JSON.stringify(DOCUMENT).length / 5);
    // What is not an operation is small, and is read without a reference to it.
    expect(needed).toMatchObject({
      openapi: expect.anything(),
      info: expect.anything(),
      tags: expect.anything(),
    });
  });

  it('leaves the document as it was', () => {
    const before = JSON.stringify(DOCUMENT);
    for (const path of OPERATIONS) neededParts(DOCUMENT, path);
    expect(JSON.stringify(DOCUMENT)).toBe(before);
  });

  it('follows references of any form, and none in a circle, nor to nothing or elsewhere', () => {
    const document = {
      paths: {
        '/a~b': {
          get: { $ref: '#/components/x/with~1slash%20and~0tilde' },
          put: {},
          parameters: [{ $ref: '#/components/x/inherited' }],
        },
      },
      components: {
        x: {
          'with/slash and~tilde': {
            list: [{ $ref: '#/components/x/other/in/1' }, { $ref: '#/components/x/none' }],
          },
          other: { in: [0, { $ref: '#/paths/~1a~0b/get' }], not: 'needed' },
          inherited: {},
          unused: {},
        },
        y: { $ref: 'https://elsewhere.example/#/components/x/unused' },
      },
    };
    expect(neededParts(document, ['paths', '/a~b', 'get'])).toEqual({
      paths: { '/a~b': { get: document.paths['/a~b'].get, parameters: document.paths['/a~b'].parameters } },
      components: {
        x: {
          'with/slash and~tilde': document.components.x['with/slash and~tilde'],
          other: { in: [undefined, document.components.x.other.in[1]] },
          inherited: {},
        },
      },
    });
    expect(neededParts(document, ['components', 'none', 'at', 'all'])).toEqual({ paths: {}, components: {} });
    expect(neededParts({ openapi: '3.1.0' }, ['paths', '/pets', 'get'])).toEqual({ openapi: '3.1.0' });
  });
});
