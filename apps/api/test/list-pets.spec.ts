import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { linkOf as link, type ListedPet as Pet, petsOf as pets } from './listed-pets.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
});
afterAll(() => running.close());

async function add(name: string, status?: string): Promise<Pet> {
  const reply = await client.post('/v1/pets', { name, categoryId: 1, status });
  expect(reply.status).toBe(201);
  return JSON.parse(reply.text) as Pet;
}

/** Follows `next` from `path` to the end. */
async function follow(
  path: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Pet[]> {
  const seen: Pet[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await client.get(next);
    expect(page.status).toBe(200);
    seen.push(...pets(page));
    next = link(page, 'next');
    await between();
  }
  return seen;
}

describe('GET /v1/pets', () => {
  it('is an empty array, without links, while there is no animal', async () => {
    const reply = await client.get('/v1/pets');
    expect(reply).toMatchObject({ status: 200, text: '[]' });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      vary: 'Origin, Authorization',
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers).not.toHaveProperty('link');
    expect(reply.headers).not.toHaveProperty('x-powered-by');
    expectLimitHeaders(reply);
  });

  describe('with 45 animals', () => {
    const created: Pet[] = [];
    beforeAll(async () => {
      for (let i = 0; i < 45; i++)
        created.push(await add(`pet ${i}`, ['available', 'pending', 'sold'][i % 3]));
    });

    it('shows the newest 20 first', async () => {
      expect(pets(await client.get('/v1/pets'))).toEqual(created.toReversed().slice(0, 20));
    });

    it.each([1, 2, 19, 44, 45, 100])('shows at most %d when asked to', async (limit) => {
      expect(pets(await client.get(`/v1/pets?limit=${limit}`))).toEqual(created.toReversed().slice(0, limit));
    });

    it.each(['available', 'pending', 'sold'])(
      'shows only those that are %s when asked to',
      async (status) => {
        const expected = created.toReversed().filter((pet) => pet.status === status);
        expect(await follow(`/v1/pets?status=${status}&limit=4`)).toEqual(expected);
      },
    );

    it.each([1, 7, 20, 44, 45, 46])('comes page by page of %d without a repeat or a gap', async (limit) => {
      expect(await follow(`/v1/pets?limit=${limit}`)).toEqual(created.toReversed());
    });

    it('links to the next page until the last one, and to the first one from there', async () => {
      const first = await client.get('/v1/pets?limit=44&status=');
      expectError(first, 'invalid_parameter');
      const page = await client.get('/v1/pets?limit=44');
      expect(page.headers['link']).toMatch(/^<\/v1\/pets\?limit=44&cursor=[0-9a-z]+>; rel="next"$/);
      const last = await client.get(link(page, 'next') ?? '');
      expect(last.headers['link']).toBe('</v1/pets?limit=44>; rel="first"');
      expect(pets(last)).toEqual(created.slice(0, 1));
    });

    it('has no next link when the last page is exactly full', async () => {
      expect((await client.get('/v1/pets?limit=45')).headers).not.toHaveProperty('link');
    });

    it('keeps its place while others are added', async () => {
      const before = created.toReversed();
      const added: Pet[] = [];
      const seen = await follow('/v1/pets?limit=10', async () => added.push(await add('later')));
      expect(seen).toEqual(before);
      created.push(...added);
    });

    it('ignores parameters that it does not know', async () => {
      expect(pets(await client.get('/v1/pets?page=2&limit[]=3&sort=name&limit=2'))).toHaveLength(2);
    });

    it('ignores Accept', async () => {
      const reply = await client.get('/v1/pets?limit=1', { headers: { Accept: 'text/html;q=1, */*;q=0' } });
      expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    });

    it('responds to HEAD with the same header fields and no body', async () => {
      const [head, get] = [
        await client.send('/v1/pets?limit=2', { method: 'HEAD' }),
        await client.get('/v1/pets?limit=2'),
      ];
      expect(head).toMatchObject({ status: 200, text: '' });
      for (const name of ['content-type', 'content-length', 'link', 'cache-control', 'vary']) {
        expect(head.headers[name]).toBe(get.headers[name]);
      }
    });

    it('refuses a cursor of a list with another filter', async () => {
      const cursor = async (query: string): Promise<string> =>
        new URL(
          link(await client.get(`/v1/pets?limit=1${query}`), 'next') ?? '',
          'http://x',
        ).searchParams.get('cursor') ?? '';
      const [any, sold] = [await cursor(''), await cursor('&status=sold')];
      expectError(await client.get(`/v1/pets?status=sold&cursor=${any}`), 'invalid_cursor');
      expectError(await client.get(`/v1/pets?status=pending&cursor=${sold}`), 'invalid_cursor');
      expectError(await client.get(`/v1/pets?cursor=${sold}`), 'invalid_cursor');
      expect((await client.get(`/v1/pets?status=sold&cursor=${sold}`)).status).toBe(200);
    });

    it('takes another limit with a cursor', async () => {
      const next = link(await client.get('/v1/pets?limit=2'), 'next') ?? '';
      expect(pets(await client.get(next.replace('limit=2', 'limit=3')))).toHaveLength(3);
    });
  });

  it.each([
    ['limit='],
    ['limit'],
    ['limit=0'],
    ['limit=101'],
    ['limit=-1'],
    ['limit=%2B10'],
    ['limit=+10'],
    ['limit=010'],
    ['limit=1e1'],
    ['limit=10.0'],
    ['limit=0x10'],
    ['limit=abc'],
    ['limit=%zz'],
    ['limit=%00'],
    ['limit=10&limit=10'],
    ['limit=9223372036854775808'],
    ['status='],
    ['status=Available'],
    ['status=available%20'],
    ['status=available,sold'],
    ['status=adopted'],
    ['status=sold&status=sold'],
  ])('refuses ?%s as an invalid parameter', async (query) => {
    const reply = await client.get(`/v1/pets?${query}`);
    expectError(reply, 'invalid_parameter');
    expectLimitHeaders(reply);
  });

  it.each(['', 'abc', '0', '%00', 'zzzzzzzzz', 'a'.repeat(5000), '../../etc', '1&cursor=1'])(
    'refuses the cursor %j',
    async (cursor) => {
      expectError(await client.get(`/v1/pets?cursor=${cursor}`), 'invalid_cursor');
    },
  );

  it('responds to any query with 200 or an error of 400, never anything else', async () => {
    const part = fc.oneof(
      fc.constantFrom('limit', 'status', 'categoryId', 'ids', 'cursor', '=', '1', ','),
      fc.webQueryParameters(),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const query = parts.map((text) => encodeURI(text.toWellFormed()).replaceAll('#', '')).join('&');
        expect([200, 400]).toContain((await client.get(`/v1/pets?${query}`)).status);
      }),
      { numRuns: 200 },
    );
  });
});
