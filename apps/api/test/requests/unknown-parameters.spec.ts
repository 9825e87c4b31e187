import { describe, expect, it } from '@jest/globals';
import { read } from '../deploy/deploy-files.js';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders, messageOf } from '../support/contract.js';
import { madeUpKey } from '../support/made-up-key.js';
import { serveShared } from '../support/running-service.js';

interface DocumentedOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

const { paths } = JSON.parse(read('docs/openapi.json')) as {
  paths: Record<string, { get?: DocumentedOperation }>;
};

/** Every path that can be read, with the names of its query parameters. */
const READ = Object.entries(paths).flatMap(([path, { get }]) =>
  get === undefined
    ? []
    : [
        {
          path: `/v1${path.replaceAll(/\{\w+\}/g, '1')}`,
          names: (get.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
        },
      ],
);

const { running, client } = await serveShared();

const codeOf = ({ text }: Reply): unknown => (JSON.parse(text) as { code?: unknown }).code;

describe('a query parameter that an operation does not know', () => {
  it.each(READ.filter(({ names }) => names.length > 0))(
    'is refused, and told which there are: $path',
    async ({ path, names }) => {
      const reply = await client.get(`${path}?nothing=1`);
      expectError(reply, 'invalid_parameter');
      expectLimitHeaders(reply);
      for (const name of ['"nothing"', ...names]) expect(messageOf(reply)).toContain(name);
      expect(codeOf(await client.get(`${path}?_=1&__proto__=2&_nothing`))).not.toBe('invalid_parameter');
    },
  );

  it.each(READ.filter(({ names }) => names.length === 0))(
    'is ignored by an operation that has none: $path',
    async ({ path }) => {
      expect((await client.get(`${path}?nothing=1`)).status).toBe((await client.get(path)).status);
    },
  );

  it('is ignored by a creation', async () => {
    expect((await client.post('/v1/pets?nothing=1', { name: 'Rex', categoryId: 1 })).status).toBe(201);
  });

  it.each([
    ['catgoryId=1', '"catgoryId"', 'categoryId'],
    ['CATEGORYID=1', '"CATEGORYID"', 'categoryId'],
    ['ids[]=1&ids[]=2', '"ids[]"', 'ids'],
    ['limit=0&sttaus=sold', '"sttaus"', 'status'],
    ['%6Cimi%74s=1', '"limits"', 'limit'],
    ['=1', '""', ''],
    ['%20status=sold', '" status"', 'status'],
    ['constructor=1', '"constructor"', ''],
    ['a%0A%00%7F%E2%80%AEb=1', '"a\uFFFD\uFFFD\uFFFD\uFFFDb"', ''],
    ['%ff=1', '"\uFFFD"', ''],
    [`${'%F0%9F%90%95'.repeat(41)}=1`, `"${'🐕'.repeat(40)}…"`, ''],
    [`${'status'.padEnd(8_000, 's')}=1`, `"${'status'.padEnd(40, 's')}…"`, 'status'],
  ])('is named, and the one that is most like it first: %.40s', async (query, named, nearest) => {
    const reply = await client.get(`/v1/pets?${query}`);
    expectError(reply, 'invalid_parameter');
    const expected = `There is no query parameter ${named} here. There are: ${nearest}`;
    expect(messageOf(reply)).toEqual(expect.stringContaining(expected));
  });

  it.each(['live', 'test', 'pub_live', 'pub_test'])(
    'is not repeated when it looks like a key: pet_%s_...',
    async (kind) => {
      const secret = madeUpKey().slice(-40);
      for (const name of [
        `pet_${kind}_${secret}`,
        `PET_${kind}_${secret}`,
        `${'x'.repeat(39)}pet_${kind}_1`,
      ]) {
        const reply = await client.get(`/v1/pets?${name}=1`);
        expectError(reply, 'invalid_parameter');
        expect(messageOf(reply)).toMatch(/^There is no query parameter of that name here\. There are: /);
      }
    },
  );

  it('is told of after the key, the limit and the scope', async () => {
    const writer = await running.client({ scopes: ['pets:write'] });
    expectError(await writer.get('/v1/pets?nothing=1'), 'insufficient_scope');
    expectError(await client.get('/v1/pets?nothing=1', { key: madeUpKey() }), 'invalid_api_key');
  });
});
